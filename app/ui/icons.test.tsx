import { readFile } from 'node:fs/promises'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import * as icons from './icons.tsx'
import * as ownerIcons from './owner-icons.tsx'

test('each icon component refers to an icon in icons.svg, and icons.svg contains no unused icons', async () => {
  const sprite = await readFile('app/ui/icons.svg', 'utf8')
  const drawn = [...sprite.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id)
  const { icon: _, ...visitorIcons } = icons
  const used = Object.values({ ...visitorIcons, ...ownerIcons }).map(
    (Icon) => /#([^"]+)"/.exec(renderToStaticMarkup(<Icon />))?.[1],
  )
  expect(used.length).toBeGreaterThan(40)
  expect(used.toSorted()).toEqual(drawn.toSorted())
})
