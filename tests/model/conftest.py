from hypothesis import settings

# A busy machine is slow, not wrong: examples get no time limit.
settings.register_profile("model", deadline=None)
settings.load_profile("model")
