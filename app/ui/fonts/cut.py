"""Cuts the shop's typefaces to what pages need: python3 app/ui/fonts/cut.py FOLDER (fontTools and brotli). Run by hand; what it writes is
committed. FOLDER holds the packages @fontsource-variable/figtree and @fontsource-variable/fraunces 5.3.0, as `npm install --prefix` puts them there."""
import os
import sys
from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

here = os.path.dirname(os.path.abspath(__file__))
source = os.path.join(sys.argv[1], 'node_modules/@fontsource-variable/{0}/files/{0}-{1}-wght-normal.woff2')

# What English prose is set in; the other signs of western Europe stand in a second file, those of its east in a third ("Łukasz"), and a browser
# asks for them only where it meets one.
usual = [*range(0x20, 0x7F), 0xA0, 0xA9, 0xB7, 0xD7, 0xE9, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026, 0x20AC]

# Fraunces in the two weights that pages are set in: each is half of what the variable file weighs.
faces = [('figtree', (400, 700), 'figtree'), ('fraunces', 560, 'fraunces-560'), ('fraunces', 400, 'fraunces-400')]

for name, weight, target in faces:
    for suffix in ('', '-more', '-ext'):
        font = TTFont(source.format(name, 'latin-ext' if suffix == '-ext' else 'latin'), lazy=False)
        font = instancer.instantiateVariableFont(font, {'wght': weight})
        if 'gvar' in font:
            for glyph in font.getGlyphOrder():
                font['gvar'].variations.setdefault(glyph, [])
        if suffix == '-ext':
            # Letters alone: accents that stand by themselves and rare signs come from the machine.
            signs = [code for code in font.getBestCmap() if 0x100 <= code <= 0x24F or 0x1E00 <= code <= 0x1EFF]
        else:
            signs = [code for code in font.getBestCmap() if code not in usual] if suffix else usual
        options = subset.Options()
        options.flavor = 'woff2'
        options.layout_features = ['kern', 'liga', 'ccmp', 'locl', 'mark', 'tnum', 'rvrn']
        options.hinting = False
        options.name_IDs = [0, 1, 2, 13, 14]
        cut = subset.Subsetter(options)
        cut.populate(unicodes=signs)
        cut.subset(font)
        path = os.path.join(here, f'{target}{suffix}.woff2')
        subset.save_font(font, path, options)
        print(os.path.basename(path), os.path.getsize(path))
