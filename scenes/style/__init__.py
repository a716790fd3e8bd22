"""The look of every film: colours, type and layout. No picture is drawn here."""
