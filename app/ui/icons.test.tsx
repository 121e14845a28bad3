// Every icon names a drawing that icons.svg has; an id that is missing there would show nothing, without an error.
import { readFile } from 'node:fs/promises'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import * as icons from './icons.tsx'

test('each icon has its drawing in the sprite, and each drawing its icon', async () => {
  const sprite = await readFile('app/ui/icons.svg', 'utf8')
  const drawn = [...sprite.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id)
  const used = Object.values(icons).map((Icon) => /#([^"]+)"/.exec(renderToStaticMarkup(<Icon />))?.[1])
  expect(used.length).toBeGreaterThan(40)
  expect(used.toSorted()).toEqual(drawn.toSorted())
})
