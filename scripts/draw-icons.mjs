// Draws the shop's icons into public/: node scripts/draw-icons.mjs, after the mark has changed (app/features/accounts/knot-mark.tsx).
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { root } from './run.mjs'

/** `share`: how much of the side the mark takes; a maskable icon may lose its outer tenth on each side. */
const mark = (
  share,
  corner,
) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="${corner}" fill="#2a2320"/>
<g transform="translate(${32 - 32 * share} ${32 - 32 * share}) scale(${1.6 * share})" fill="none" stroke-linecap="round" stroke-width="3.6">
<path d="M15 3v9M25 3v9M15 28v9M25 28v9" stroke="#f3e9da" opacity="0.7"/>
<path d="M4 12c9 0 20 1 22 7 1.5 5-4 9-22 9" stroke="#d9805f"/>
<path d="M36 12c-9 0-20 1-22 7-1.5 5 4 9 22 9" stroke="#9db08c"/>
<path d="M17.5 14.5c3 0 7 1.5 8.3 4" stroke="#d9805f"/></g></svg>
`

const at = (file) => join(root, 'public', file)
const png = (svg, size, file) =>
  sharp(Buffer.from(svg), { density: (72 * size) / 64 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true })
    .toFile(at(file))

const round = mark(0.76, 14)
await writeFile(at('favicon.svg'), round.replaceAll('\n', ''))
for (const size of [192, 512]) {
  await png(round, size, `icon-${size}.png`)
  await png(mark(0.56, 0), size, `icon-maskable-${size}.png`)
}
// iOS rounds the corners itself, and shows black where there is nothing.
await png(mark(0.66, 0), 180, 'apple-touch-icon.png')
