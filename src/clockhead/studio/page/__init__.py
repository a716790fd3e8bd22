"""What is sent to the browser."""
