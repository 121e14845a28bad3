import { chmodSync, readdirSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newId15 } from '#lib/text/ids.ts'
import {
  count,
  newDataDir,
  openBeside,
  openProcess,
  openShop,
  settings,
  startAndFail,
} from '#test/fixtures/processes.ts'

test('while a different program locks the database, the shop shows pages and delays writes until the lock ends [S-263]', async () => {
  const { path, clara, visitor } = await openShop(await newDataDir())
  const other = openBeside(path)
  onTestFinished(() => other.close())
  other.exec('begin exclusive')
  const message = { intent: 'send', message: 'While it is locked', messageId: newId15() }
  let isAnswered = false
  const sending = clara('/messages.data', message).finally(() => (isAnswered = true))
  for (const page of ['/', '/gallery/', '/item/moon/', '/health']) {
    expect((await visitor(page)).status, page).toBe(200)
  }
  expect(isAnswered).toBe(false)
  other.exec('commit')
  expect((await sending).status).toBe(200)
  expect(count(path, 'messages where id = ?', message.messageId)).toBe(1)
})

/**
 * Makes a folder read-only, with a mount if this process may mount and otherwise with permissions.
 * Returns the error code of a write to the folder.
 */
function makeReadOnly(folder: string): string {
  const isMounted = spawnSync('mount', ['--bind', folder, folder]).status === 0
  if (isMounted) {
    onTestFinished(() => void spawnSync('umount', ['-l', folder]))
    if (spawnSync('mount', ['-o', 'remount,ro,bind', folder]).status === 0) return 'EROFS'
  }
  for (const name of [...readdirSync(folder), '.']) chmodSync(join(folder, name), 0o500)
  onTestFinished(() => chmodSync(folder, 0o700))
  return 'EACCES'
}

test('on a read-only disk, the shop refuses to start and prints one line that names the folder [S-263]', async () => {
  const dataDir = await newDataDir()
  const first = openProcess(settings(dataDir))
  await first.opened()
  await first.stop()
  const error = makeReadOnly(dataDir)
  const line = expect.stringMatching(
    new RegExp(`^The shop cannot start: DATA_DIR .* cannot be (used|written) \\(${error}`),
  ) as string
  expect(await startAndFail(settings(dataDir))).toEqual({ code: 1, lines: [line] })
})
