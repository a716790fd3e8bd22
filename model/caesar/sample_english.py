"""An English sample text of 502 words, written for this purpose and free to use.

It is a module and not a data file so that clips that use it are rendered anew if it changes.
"""

SAMPLE_ENGLISH = """\
The harbour was quiet when the last boat came in. A thin fog lay over the water, and the lamps
along the quay made small round pools of yellow light on the wet stones. Old Martin tied the rope
to its ring, looked once at the sky, and shook his head. There would be rain before morning, he
said, and the nets ought to be taken indoors. Nobody answered him. The two boys had already run up
the hill to the house, where their mother kept a pot of soup on the stove and a loaf of bread
under a clean cloth.

It is a curious thing that people who live beside the sea seldom speak of it. They talk about the
price of flour, about weddings and quarrels, about a cow that has wandered into a garden, but the
sea itself is left out of the conversation, as if it were a guest who might overhear. A stranger
who asks a question about the tide will get a civil answer and nothing more. Only the children say
what they think, and they are told to hush.

In the spring of that year a teacher came to the village. She carried a wooden box full of books,
a brass compass, and a large map of the world which she hung on the wall behind her desk. On the
first day she asked the class to find their own village on the map. They searched for a long time.
At last the smallest girl put her finger on the blue part and said that it must be somewhere near
here, because she could smell the salt. The teacher laughed and did not correct her.

Every evening after the lessons she walked to the end of the pier and wrote a few lines in a
notebook. Some believed that she was writing letters to a brother in the city. Others thought she
was counting the ships. In truth she was making a list of words that she had heard during the day
and did not know: names for winds, for knots, for kinds of cloud, for the sound that a keel makes
upon sand. By the end of summer she had more than four hundred of them, and she read them aloud to
the class, and for the first time the children understood that what they spoke at home was also a
language, with a history as long and as strange as any kingdom in the books.

When the winter storms arrived the school was closed for a week. The wind took the roof from one
of the sheds and laid it neatly in the churchyard. Martin said that he had seen worse, and then,
because the teacher was listening with her pencil ready, he began to describe it. He talked until
the candle was gone. The boys sat by the door and did not move. Outside the waves struck the wall
again and again, and for once nobody pretended not to hear them.
"""
