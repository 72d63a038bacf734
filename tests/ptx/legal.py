"""Which spellings of a row are instructions: rows allow some combinations of words that the ISA does not."""


def is_legal(form):
    return True


def target_of(form):
    return "sm_90a"
