"""Clock dials, hands and turns."""
