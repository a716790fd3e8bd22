"""Pictures that stages share. A part is written once and looks the same in every film."""
