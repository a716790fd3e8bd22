"""The Caesar cipher, and a transformer that breaks it by counting letters.

After Dan Wilhelm, LLM Foundations, chapter 1; the problem is Callum McDougall's.
"""
