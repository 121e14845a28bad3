/** Another program holds the database, or the disk is read-only from the start. */
import { chmodSync, readdirSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newId15 } from '#app/platform/ids.ts'
import { openBeside } from '../open-beside.ts'
import { newDataDir, openProcess } from '../open-process.ts'
import { count, openShop, settings } from '../shop-on-disk.ts'

test('S-263 another program that holds the database stops nobody from reading; what is written waits and is kept once it lets go', async () => {
  const dataDir = await newDataDir()
  const { path, clara, visitor } = await openShop(dataDir)
  const other = openBeside(path)
  onTestFinished(() => other.close())
  other.exec('begin exclusive')
  const message = { intent: 'send', message: 'While it is held', messageId: newId15() }
  let isAnswered = false
  const sending = clara('/messages.data', message).finally(() => (isAnswered = true))
  for (const page of ['/', '/gallery/', '/item/moon/', '/health']) expect((await visitor(page)).status, page).toBe(200)
  expect(isAnswered).toBe(false)
  other.exec('commit')
  expect((await sending).status).toBe(200)
  expect(count(path, 'messages where id = ?', message.messageId)).toBe(1)
})

/** Read-only as root has it, by a file system of its own; as others have it, by rights. */
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

test('S-263 a start on a read-only disk ends with one line that names the folder, and the next one on a well disk opens the shop', async () => {
  const dataDir = await newDataDir()
  const first = openProcess(settings(dataDir))
  await first.opened
  first.kill('SIGTERM')
  await first.ended
  const code = makeReadOnly(dataDir)
  const shop = openProcess(settings(dataDir))
  shop.opened.catch(() => {})
  expect((await shop.ended).code).toBe(1)
  const lines = shop.output().trim().split('\n')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(new RegExp(`^The shop cannot start: DATA_DIR .* cannot be (used|written) \\(${code}`))
})
