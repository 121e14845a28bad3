import { copyFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import {
  archiveOf,
  bringBack,
  changedDatabase,
  newDataFolder,
  overwrite,
  partsOf,
  rowsIn,
  writeParts,
  type Part,
} from '#test/fixtures/backups.ts'
import { onSqlite } from '#test/fixtures/database.ts'
import { newFolder, readFolder } from '#test/fixtures/data-folders.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { fillRichShop } from '#test/fixtures/full-shop.ts'
import { UnusableBackupError } from './read-backup.server.ts'

type Manifest = { format: number; checksums: Record<string, string> }
type Parts = Map<string, Buffer>

const withManifest = (parts: Parts, change: (manifest: Manifest) => void): Part[] => {
  const manifest = JSON.parse(parts.get('manifest.json')!.toString()) as Manifest
  change(manifest)
  return [...new Map(parts).set('manifest.json', Buffer.from(JSON.stringify(manifest)))]
}

/** Writes correct checksums of the changed entries into the manifest, as an attacker would do. */
const resummed = (parts: Parts, ...more: Part[]): Part[] => [
  ...withManifest(parts, (manifest) => {
    const all: Part[] = [...[...parts].filter(([name]) => name !== 'manifest.json'), ...more]
    manifest.checksums = Object.fromEntries(
      all.map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')]),
    )
  }),
  ...more,
]

onSqlite(
  'a restore refuses a broken, foreign or forged backup with a message of one line, and changes nothing [S-267]',
  async () => {
    const shop = await openTestShop()
    await fillRichShop(shop)
    const good = await archiveOf(shop.shop)
    const parts = await partsOf(good)
    const folder = await newFolder()
    const dataDir = await newDataFolder()
    await bringBack(good, dataDir)
    const state = async () => [await rowsIn(dataDir), await readFolder(dataDir)]
    const before = await state()
    const image = [...parts.keys()].find((name) => name.startsWith('files/items/'))!
    const climbing = `../../${'x'.repeat(image.length - 6)}`
    const absolute = `/tmp/${'x'.repeat(image.length - 5)}`
    const path = join(folder, 'bad.zip')
    const changed = (change: () => Promise<unknown>) => async () => {
      await copyFile(good, path)
      await change()
    }
    const made = (build: () => Part[]) => () => writeParts(path, build())
    const database = parts.get('shop.db')!
    const written = (change: (db: DatabaseSync) => void) => async () =>
      writeParts(
        path,
        resummed(new Map(parts).set('shop.db', await changedDatabase(database, change))),
      )
    const ran = (statement: string) => written((db) => db.exec(statement))
    const size = (await readFile(good)).length

    /**
     * Writes a zip file with an entry of 1.2 MB. The zip file says that this entry has
     * `declaredSize` bytes.
     */
    async function bomb(name: string, declaredSize: number) {
      const zeros = Buffer.alloc(1_234_567)
      await writeParts(path, resummed(new Map(parts).set(name, zeros)))
      const bytes = await readFile(path)
      const size = Buffer.alloc(4)
      size.writeUInt32LE(zeros.length)
      bytes.writeUInt32LE(declaredSize, bytes.lastIndexOf(size))
      await writeFile(path, bytes)
    }

    const cases: [why: string, build: () => Promise<unknown>, said: RegExp][] = [
      ['cut off', changed(() => truncate(path, size - 100)), /its end is missing/],
      ['empty', () => writeFile(path, ''), /its end is missing/],
      [
        'a file that is not a zip archive',
        () => writeFile(path, 'hello'.repeat(100)),
        /its end is missing/,
      ],
      [
        'a zip file that is not a backup',
        made(() => [['holiday.jpg', Buffer.from('x')]]),
        /not a backup of the shop: it contains "holiday.jpg"/,
      ],
      [
        'climbs out of its folder',
        changed(() => overwrite(path, image, climbing)),
        /invalid relative path|not a backup of the shop/,
      ],
      [
        'an absolute path',
        changed(() => overwrite(path, image, absolute)),
        /absolute path|not a backup of the shop/,
      ],
      [
        'a link',
        made(() =>
          resummed(parts, [
            'files/items/link.webp',
            Buffer.from('/etc/passwd'),
            { mode: 0o120777 },
          ]),
        ),
        /link\.webp", which is not a regular file/,
      ],
      [
        'the same file name twice',
        made(() => [...resummed(parts), [image, Buffer.from('x')]]),
        /twice/,
      ],
      [
        'a file name that no picture can have',
        made(() => resummed(parts, ['files/.hidden', Buffer.from('x')])),
        /"files\/\.hidden", which no backup contains/,
      ],
      [
        'a changed picture',
        made(() => [...new Map(parts).set(image, Buffer.from('x'))]),
        /checksum of files\/items\/.* is wrong/,
      ],
      [
        'a changed row',
        async () =>
          writeParts(
            path,
            new Map(parts).set(
              'shop.db',
              await changedDatabase(database, (db) => db.exec(`update "items" set "name" = 'x'`)),
            ),
          ),
        /checksum of shop\.db is wrong/,
      ],
      [
        'a missing picture',
        made(() => [...parts].filter(([name]) => name !== image)),
        /files\/items\/.* is missing/,
      ],
      [
        'no database',
        made(() => [...parts].filter(([name]) => name !== 'shop.db')),
        /"shop\.db" is missing/,
      ],
      [
        'a database without a checksum',
        made(() => withManifest(parts, (one) => delete one.checksums['shop.db'])),
        /shop\.db has no checksum/,
      ],
      [
        'an extra file',
        made(() => [...parts, ['files/items/more.webp', Buffer.from('x')]]),
        /more\.webp has no checksum/,
      ],
      [
        'a changed manifest',
        made(() => withManifest(parts, (one) => (one.checksums[image] = '0'.repeat(64)))),
        /checksum of files\/items\/.* is wrong/,
      ],
      [
        'an invalid manifest',
        made(() => [...new Map(parts).set('manifest.json', Buffer.from('{"format"'))]),
        /does not understand/,
      ],
      [
        'a backup of a later format',
        made(() => withManifest(parts, (one) => (one.format = 3))),
        /does not understand/,
      ],
      [
        'an invalid checksum',
        made(() => withManifest(parts, (one) => (one.checksums[image] = 'deadbeef'))),
        /does not understand/,
      ],
      [
        'a backup of a newer version',
        ran(`insert into "kysely_migration" values ('999-later', '2030')`),
        /newer version of the shop \(999-later\)/,
      ],
      [
        'an incomplete list of migrations',
        ran(`delete from "kysely_migration"`),
        /not made by any version of the shop/,
      ],
      [
        'a database file without a database',
        made(() => resummed(new Map(parts).set('shop.db', Buffer.from('hello'.repeat(1000))))),
        /cannot be read/,
      ],
      [
        'a page of zeros',
        made(() =>
          resummed(new Map(parts).set('shop.db', Buffer.from(database).fill(0, 4096, 8192))),
        ),
        /cannot be read|is broken|made by no version/,
      ],
      [
        'a missing row to which other rows refer',
        ran(`delete from "items"`),
        /refers to one that does not exist/,
      ],
      [
        'a text where a price should be',
        ran(`update "items" set "priceCents" = 'many'`),
        /items\.priceCents has the wrong type/,
      ],
      [
        'a number where a name should be',
        ran(`update "items" set "name" = x'07'`),
        /a value of item\w+\.\w+ has the wrong type/,
      ],
      [
        'an extra column',
        ran(`alter table "items" add column "drop" text`),
        /other tables, columns or triggers/,
      ],
      [
        'an extra table',
        ran(`create table "more" ("id" text)`),
        /other tables, columns or triggers/,
      ],
      [
        'an extra trigger',
        ran(`create trigger "mine" after insert on "audit" begin delete from "user"; end`),
        /other tables, columns or triggers/,
      ],
      [
        'words of SQL for a column',
        ran(`alter table "items" add column "x"" integer); drop table ""user""; --" text`),
        /other tables/,
      ],
      ['a zip bomb', () => bomb('shop.db', 2_000_000_000), /far more than any backup/],
      [
        'a zip bomb instead of a picture',
        () => bomb('files/items/bomb.webp', 70_000_000),
        /larger than any picture/,
      ],
      [
        'a zip bomb that declares a small size',
        () => bomb('files/items/bomb.webp', 7),
        /bomb\.webp cannot be read \(too many bytes/,
      ],
    ]
    for (const [why, build, said] of cases) {
      await build()
      const error = await bringBack(path, dataDir).then(
        () => null,
        (thrown: unknown) => thrown as Error,
      )
      expect(error, why).toBeInstanceOf(UnusableBackupError)
      expect(error!.message, why).toMatch(said)
      expect(error!.message, why).toMatch(/^bad\.zip /)
      expect(error!.message.length, why).toBeLessThan(300)
    }
    expect(await state()).toEqual(before)
  },
)
