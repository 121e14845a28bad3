/**
 * Tests the help and the refused arguments of all commands of scripts/cli.mjs, and the command
 * sync-storage. The other commands have their own files.
 */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, readFolder } from '#test/fixtures/data-folders.ts'
import { type CommandName, runCommand } from '#test/fixtures/processes.ts'
import { openStorage } from '#test/fixtures/storage.ts'

const POSTGRES = 'postgres://localhost/x'

test.each<[name: CommandName, args: string[], said: string]>([
  ['backup', ['/mnt/usb'], 'npm run backup [-- --to <folder>]'],
  ['backup', ['--folder', 'usb'], "Unknown option '--folder'"],
  ['backup', [], 'There is no shop in'],
  ['restore', [], 'npm run restore -- <file>'],
  ['restore', ['a.zip', 'b.zip'], 'npm run restore -- <file>'],
  ['restore', ['none.zip'], 'none.zip is not there. Nothing was changed.'],
  ['restore', ['README.md'], 'README.md is not a complete archive: its end is missing'],
  ['import', [], 'npm run import -- <file or folder>'],
  ['db-copy', [], 'npm run db:copy -- --to'],
  [
    'db-copy',
    ['--to', 'mysql://x'],
    '--to must be a postgres:// URL, or sqlite. Nothing was changed.',
  ],
  ['db-copy', ['--to', POSTGRES], 'There is no shop in'],
  ['admin', [], 'npm run admin -- reset-password'],
  ['admin', ['second-factor', 'on'], 'npm run admin -- reset-password'],
  ['admin', ['log-out'], 'npm run admin -- reset-password'],
  ['admin', ['reset-password'], 'Name its folder with DATA_DIR. Nothing was changed.'],
  ['sync-storage', ['back'], 'npm run sync-storage -- --back'],
  ['sync-storage', ['--forth'], "Unknown option '--forth'"],
  ['sync-storage', [], 'The pictures cannot be copied: STORAGE_URL is not set'],
  [
    'frobnicate' as CommandName,
    [],
    'The commands are: backup, restore, import, db-copy, admin, sync-storage',
  ],
])(
  'the command %s refuses the arguments %j with a message and creates no shop [S-236, S-268]',
  async (name, args, said) => {
    const dataDir = join(await newFolder(), 'mistyped')
    const { code, printed } = await runCommand(name, args, { DATA_DIR: dataDir })
    expect(code).toBe(1)
    expect(printed).toEqual(expect.stringContaining(said))
    expect(printed).not.toMatch(/\n +at /)
    expect(existsSync(dataDir)).toBe(false)
  },
)

test('each command shows its usage with --help', async () => {
  const { code, printed } = await runCommand('sync-storage', ['--help'], {})
  expect(code).toBe(0)
  expect(printed).toEqual(expect.stringMatching(/^STORAGE_URL=… npm run sync-storage /))
})

test('"sync-storage" copies new pictures from the data folder into the storage and back', async () => {
  const folder = await newFolder()
  const [here, there] = [join(folder, 'here'), join(folder, 'there')]
  const storage = await openStorage()
  const copy = (dataDir: string, ...args: string[]) =>
    runCommand('sync-storage', args, { DATA_DIR: dataDir, STORAGE_URL: storage.url })
  await mkdir(join(here, 'files', 'items'), { recursive: true })
  await writeFile(join(here, 'files', 'items', 'moon.webp'), 'the moon')

  expect(await copy(here)).toEqual({ code: 0, printed: '1 copied, 0 already there.\n' })
  await writeFile(join(here, 'files', 'items', 'sun.webp'), 'the sun')
  expect(await copy(here)).toEqual({ code: 0, printed: '1 copied, 1 already there.\n' })
  expect(await copy(there, '--back')).toEqual({ code: 0, printed: '2 copied, 0 already there.\n' })
  expect(await readFolder(join(there, 'files'))).toEqual({
    'items/moon.webp': 'the moon',
    'items/sun.webp': 'the sun',
  })
})

test('"sync-storage" prints that the storage refuses access, and does not print the secret', async () => {
  const storage = await openStorage()
  const refused = await runCommand('sync-storage', [], {
    DATA_DIR: await newFolder(),
    STORAGE_URL: storage.urlOf({ secret: 'hunter2' }),
  })
  expect(refused.code).toBe(1)
  expect(refused.printed).toEqual(
    expect.stringContaining('The pictures cannot be copied: The key in STORAGE_URL'),
  )
  expect(refused.printed).not.toContain('hunter2')
})
