import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { saveSettings } from '#app/features/settings/settings.server.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { readHead } from '#test/page-head.ts'
import { clip, describe, LONGEST, SHORTEST } from './page-texts.ts'
import { themeColors } from './manifest.ts'

test('a description is never longer than is shown, never breaks a letter, and says enough where there is enough to say', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 4 }), (sentences) => {
      const text = describe(...sentences, 'Macrame, knotted by hand, in every color that the workshop has.')
      expect(text.length).toBeGreaterThanOrEqual(SHORTEST)
      expect(text.length).toBeLessThanOrEqual(LONGEST)
      expect(text.isWellFormed()).toBe(true)
      expect(text).not.toMatch(/\p{Cc}|^\s|\s$/u)
    }),
  )
  expect(clip('one two three', 9)).toBe('one two…')
  expect(clip('a'.repeat(20), 10)).toBe(`${'a'.repeat(9)}…`)
  expect(describe('A tote.', 'By the shop.', 'In many colors.')).toBe('A tote. By the shop. In many colors.')
  expect(describe('x '.repeat(40), 'y '.repeat(60))).toBe('x '.repeat(40).trim())
})

test('S-029 the shop can be installed under its own name, with icons in their sizes', async () => {
  const { db, visitor } = await openTestShop()
  await saveSettings(db, { name: 'The Very Long Workshop' }, 1)
  const response = await visitor().get('/manifest.webmanifest')
  const manifest = (await response.json()) as Record<string, unknown> & {
    icons: { src: string; sizes: string; type: string; purpose: string }[]
    shortcuts: { url: string }[]
  }
  expect(response.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8')
  expect(manifest).toMatchObject({ name: 'The Very Long Workshop', short_name: 'The', start_url: '/', scope: '/', display: 'standalone' })
  for (const { src, sizes, type } of manifest.icons) {
    const { width, height, format } = await sharp(`public${src}`).metadata()
    expect([`${width}x${height}`, `image/${format}`]).toEqual([sizes, type])
  }
  expect(manifest.icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`).toSorted()).toEqual([
    'any 192x192',
    'any 512x512',
    'maskable 192x192',
    'maskable 512x512',
  ])
  for (const { url } of manifest.shortcuts) expect((await visitor().get(url)).status).toBe(200)
  const head = readHead(await visitor().page('/'))
  expect([head.link('manifest'), head.link('icon'), head.link('apple-touch-icon')]).toEqual([
    '/manifest.webmanifest',
    '/favicon.svg',
    '/apple-touch-icon.png',
  ])
  const touch = await sharp(`public${head.link('apple-touch-icon')}`).metadata()
  expect([touch.width, touch.height]).toEqual([180, 180])
})

test("THEME-02 the browser's own frame has the ground of the theme", async () => {
  const { visitor } = await openTestShop()
  const tokens = await readFile('app/ui/tokens.css', 'utf8')
  const grounds = [...tokens.matchAll(/--ground: (#\w+);/g)].map(([, color]) => color)
  expect(grounds).toEqual([themeColors.dark, themeColors.light])
  const shown = async (cookie: string) => readHead(await (await visitor().send('/', { headers: { cookie } })).text()).meta('theme-color')
  expect([await shown(''), await shown('theme=light')]).toEqual([themeColors.dark, themeColors.light])
})
