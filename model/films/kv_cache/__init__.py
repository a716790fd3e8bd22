"""Values of the stages of `kv_cache`."""
