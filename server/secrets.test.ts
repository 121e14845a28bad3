import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '#test/fixtures/data-folders.ts'
import { readOrCreateSecret } from './secrets.ts'

test('creates a secret only once, even when several processes start together, in a file that only its system user can read', async () => {
  const path = join(await newFolder(), 'secrets', 'session')
  const made = await Promise.all([1, 2, 3, 4].map(() => readOrCreateSecret(path)))
  expect(new Set(made).size).toBe(1)
  expect(made[0]).toMatch(/^[\w-]{43}$/)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700)
  expect(await readdir(join(path, '..'))).toEqual(['session'])
  expect(await readOrCreateSecret(path)).toBe(made[0])
})

test('refuses to start with an empty secret file instead of replacing it', async () => {
  const path = join(await newFolder(), 'session')
  await writeFile(path, '')
  await expect(readOrCreateSecret(path)).rejects.toThrow(/session is empty or too short/)
})
