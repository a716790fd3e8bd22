"""The Caesar cipher and the transformer that breaks it: counting letters is enough.

After Dan Wilhelm, LLM Foundations, chapter 1; the problem is Callum McDougall's.
"""
