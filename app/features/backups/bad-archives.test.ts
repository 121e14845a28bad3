// Archives that somebody has broken or made up: each is refused with one line that says why, and nothing is changed.
import { copyFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listAllRows } from '#test/all-rows.ts'
import { archiveOf, bringBack, openOther, overwrite, partsOf, writeParts, type Part } from '#test/archives.ts'
import { newFolder, readFolder } from '#test/moving-shops.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { fillRichShop } from '#test/rich-shop.ts'
import { UnusableArchive } from './read-archive.server.ts'

const sumsOf = (parts: Iterable<Part>) =>
  Buffer.from([...parts].map(([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`).join(''))

/** Somebody who makes up an archive gets its checksums right. */
const resummed = (parts: Map<string, Buffer>, ...more: Part[]): Part[] => {
  const all: Part[] = [...[...parts].filter(([name]) => name !== 'SHA256SUMS'), ...more]
  return [...all, ['SHA256SUMS', sumsOf(all)]]
}

const withManifest = (parts: Map<string, Buffer>, change: (manifest: Manifest) => void) => {
  const manifest = JSON.parse(parts.get('manifest.json')!.toString()) as Manifest
  change(manifest)
  return new Map(parts).set('manifest.json', Buffer.from(JSON.stringify(manifest)))
}
type Manifest = {
  format: number
  migrations: string[]
  tables: Record<string, { rows: number; columns: string[] }>
  files: { count: number }
}

test('S-267 an archive that is broken, foreign or made up is refused with a line that says why, and nothing is changed', async () => {
  const shop = await openTestShop()
  await fillRichShop(shop)
  const good = await archiveOf(shop)
  const parts = await partsOf(good)
  const folder = await newFolder()
  const other = await openOther('sqlite')
  await bringBack(good, other)
  const before = [
    await listAllRows(other.db),
    await readFolder(other.dataDir).then((all) => ({ ...all, 'shop.db-wal': '', 'shop.db-shm': '' })),
  ]
  const picture = [...parts.keys()].find((name) => name.startsWith('files/items/'))!
  const climbing = `../../${'x'.repeat(picture.length - 6)}`
  const absolute = `/tmp/${'x'.repeat(picture.length - 5)}`
  const path = join(folder, 'bad.zip')
  const changed = (change: () => Promise<unknown>) => async () => {
    await copyFile(good, path)
    await change()
  }
  const made = (build: () => Part[]) => () => writeParts(path, build())
  const table = (name: string, change: (text: string) => string): Map<string, Buffer> =>
    new Map(parts).set(`tables/${name}.jsonl`, Buffer.from(change(parts.get(`tables/${name}.jsonl`)!.toString())))
  const size = (await readFile(good)).length

  /** `told`: how many bytes the list at the end says that there are, which its reader believes. */
  async function bomb(name: string, told: number) {
    const zeros = Buffer.alloc(1_234_567)
    const more = withManifest(parts, (one) => (one.files.count += name.startsWith('files/') ? 1 : 0))
    await writeParts(path, resummed(more.set(name, zeros)))
    const bytes = await readFile(path)
    const size = Buffer.alloc(4)
    size.writeUInt32LE(zeros.length)
    bytes.writeUInt32LE(told, bytes.lastIndexOf(size))
    await writeFile(path, bytes)
  }

  const cases: [why: string, build: () => Promise<unknown>, said: RegExp][] = [
    ['cut off', changed(() => truncate(path, size - 100)), /its end is missing/],
    ['cut in the middle', changed(() => truncate(path, Math.floor(size / 2))), /its end is missing/],
    ['empty', () => writeFile(path, ''), /its end is missing/],
    ['no zip file', () => writeFile(path, 'hello'.repeat(100)), /its end is missing/],
    ['a foreign zip file', made(() => [['holiday.jpg', Buffer.from('x')]]), /no backup of the shop: it holds "holiday.jpg"/],
    ['a zip file of nothing', made(() => [['README.txt', Buffer.from('x')]]), /no backup of the shop: it has no SHA256SUMS/],
    ['climbs out of its folder', changed(() => overwrite(path, picture, climbing)), /invalid relative path|no backup of the shop/],
    ['an absolute path', changed(() => overwrite(path, picture, absolute)), /absolute path|no backup of the shop/],
    ['a path with a backslash', changed(() => overwrite(path, picture, picture.replaceAll('/', '\\'))), /invalid characters|no backup/],
    [
      'a link',
      made(() => resummed(parts, ['files/items/link.webp', Buffer.from('/etc/passwd'), { mode: 0o120777 }])),
      /link\.webp", which is no plain file/,
    ],
    ['one name twice', made(() => [...resummed(parts), [picture, Buffer.from('x')]]), /twice/],
    [
      'a name that is no picture’s',
      made(() => resummed(parts, ['files/.hidden', Buffer.from('x')])),
      /"files\/\.hidden", which no backup has/,
    ],
    [
      'another key',
      made(() => resummed(parts, ['secrets/../x'.replace('../', ''), Buffer.from('x')])),
      /"secrets\/x", which no backup has/,
    ],
    ['a picture changed', made(() => [...new Map(parts).set(picture, Buffer.from('x'))]), /checksum of files\/items\/.* is wrong/],
    [
      'a row changed',
      made(() =>
        [...table('items', (text) => text)].map(([name, bytes]) => [
          name,
          name === 'tables/items.jsonl' ? Buffer.from(`${bytes.toString()} `) : bytes,
        ]),
      ),
      /checksum of tables\/items\.jsonl is wrong/,
    ],
    ['a picture missing', made(() => [...parts].filter(([name]) => name !== picture)), /files\/items\/.* is missing/],
    ['a file more', made(() => [...parts, ['files/items/more.webp', Buffer.from('x')]]), /more\.webp has no checksum/],
    ['a table more', made(() => resummed(parts, ['tables/more.jsonl', Buffer.from('{}\n')])), /tables\/more\.jsonl is not both/],
    ['the manifest changed', made(() => [...withManifest(parts, (one) => (one.files.count += 1))]), /checksum of manifest\.json is wrong/],
    ['a manifest that says otherwise', made(() => resummed(withManifest(parts, (one) => (one.files.count += 1)))), /says \d+/],
    ['of a later format', made(() => resummed(withManifest(parts, (one) => (one.format = 2)))), /does not understand/],
    [
      'of a newer version',
      made(() => resummed(withManifest(parts, (one) => one.migrations.push('999-later')))),
      /newer version of the shop \(999-later\)/,
    ],
    [
      'fewer rows than it says',
      made(() => resummed(table('items', (text) => text.slice(text.indexOf('\n') + 1)))),
      /items\.jsonl has \d+ rows, not \d+/,
    ],
    [
      'a row that is none',
      made(() => resummed(table('items', (text) => `${'"'.padEnd(text.indexOf('\n'), 'x')}${text.slice(text.indexOf('\n'))}`))),
      /line 1 of tables\/items\.jsonl is no row/,
    ],
    [
      'a column more in a row',
      made(() => resummed(table('items', (text) => text.replace('{', '{"drop":1,')))),
      /line 1 of tables\/items\.jsonl is no row/,
    ],
    [
      'a text where a price should be',
      made(() => resummed(table('items', (text) => text.replace(/"priceCents":\d+/, '"priceCents":"many"')))),
      /line 1 of tables\/items\.jsonl is no row/,
    ],
    [
      'a number where a name should be',
      made(() => resummed(table('items', (text) => text.replace(/"name":"[^"]*"/, '"name":7')))),
      /line 1 of tables\/items\.jsonl is no row/,
    ],
    [
      'words of SQL for a column',
      made(() => resummed(withManifest(parts, (one) => one.tables.items!.columns.push('x" integer); drop table "user"; --')))),
      /does not understand/,
    ],
    [
      'words of SQL for a table',
      made(() => resummed(withManifest(parts, (one) => (one.tables['items"; drop table "user"; --'] = one.tables.items!)))),
      /does not understand/,
    ],
    [
      'a part of the list of migrations',
      made(() => resummed(withManifest(parts, (one) => one.migrations.splice(0, 3)))),
      /made by no version of the shop/,
    ],
    [
      'a column that no shop has',
      made(() => resummed(withManifest(parts, (one) => one.tables.items!.columns.push('drop')))),
      /other tables or columns/,
    ],
    [
      'a sum that is none',
      made(() => [...new Map(parts).set('SHA256SUMS', Buffer.from('deadbeef  README.txt\n'))]),
      /not what sha256sum writes/,
    ],
    ['a bomb', () => bomb('tables/items.jsonl', 2_000_000_000), /far more than any backup/],
    ['a bomb among the pictures', () => bomb('files/items/bomb.webp', 70_000_000), /larger than any picture/],
    ['a bomb that says it is small', () => bomb('files/items/bomb.webp', 7), /bomb\.webp cannot be read \(too many bytes/],
  ]
  for (const [why, build, said] of cases) {
    await build()
    const error = await bringBack(path, other).then(
      () => null,
      (thrown: unknown) => thrown as Error,
    )
    expect(error, why).toBeInstanceOf(UnusableArchive)
    expect(error!.message, why).toMatch(said)
    expect(error!.message, why).toMatch(/^bad\.zip |would not be the same/)
    expect(error!.message.length, why).toBeLessThan(300)
  }
  const after = [
    await listAllRows(other.db),
    await readFolder(other.dataDir).then((all) => ({ ...all, 'shop.db-wal': '', 'shop.db-shm': '' })),
  ]
  expect(after).toEqual(before)
})
