// Going forward plays a slide's part of the film once; going back shows its end.
'use strict';

const deck = new Reveal({
  ...SIZE,
  margin: 0,
  center: false,
  hash: true,
  controls: false,
  navigationMode: 'linear',
  transition: 'none',
  backgroundTransition: 'none',
  maxScale: 8,
  autoPlayMedia: false,
  plugins: [RevealNotes],
});

const movieOf = (slide) => slide && slide.querySelector('video');
const showsStills = () => deck.isSpeakerNotes() || matchMedia('(prefers-reduced-motion: reduce)').matches;

async function play(slide) {
  const movie = movieOf(slide);
  if (!movie) return;
  slide.classList.remove('ended');
  if (showsStills() && movie.muted) return;
  if (movie.currentTime) movie.currentTime = 0;
  try {
    await movie.play();
  } catch (error) {
    if (error.name !== 'NotAllowedError') return;  // the slide was left before it began
    movie.muted = true;  // browsers allow no sound before the first key press
    movie.play().catch(() => slide.classList.add('ended'));
  }
}

function leave(slide) {
  const movie = movieOf(slide);
  if (movie && movie.hasAttribute('src')) movie.load();  // or its end would show when it starts again
}

function isAfter(slide, other) {
  return Boolean(other.compareDocumentPosition(slide) & Node.DOCUMENT_POSITION_FOLLOWING);
}

function togglePause() {
  const movie = movieOf(deck.getCurrentSlide());
  if (movie && !movie.ended) movie.paused ? movie.play() : movie.pause();
}

deck.on('slidechanged', ({currentSlide, previousSlide}) => {
  leave(previousSlide);
  if (!previousSlide || isAfter(currentSlide, previousSlide)) play(currentSlide);
  else currentSlide.classList.add('ended');
});

deck.initialize().then(() => {
  deck.getRevealElement().classList.toggle('stills', deck.isSpeakerNotes());
  deck.addKeyBinding({keyCode: 82, key: 'R', description: 'Play again'}, () => play(deck.getCurrentSlide()));
  deck.addKeyBinding({keyCode: 84, key: 'T', description: 'Pause, resume'}, togglePause);
  if (!deck.isPrintView()) play(deck.getCurrentSlide());
});
