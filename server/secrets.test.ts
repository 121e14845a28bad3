import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readOrMakeSecret } from './secrets.ts'

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'secrets-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

test('a secret is made once, for its user alone, and several that start at once agree on it', async () => {
  const path = join(await folder(), 'secrets', 'session')
  const made = await Promise.all([1, 2, 3, 4].map(() => readOrMakeSecret(path)))
  expect(new Set(made).size).toBe(1)
  expect(made[0]).toMatch(/^[\w-]{43}$/)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700)
  expect(await readdir(join(path, '..'))).toEqual(['session'])
  expect(await readOrMakeSecret(path)).toBe(made[0])
})

test('an emptied secret is told, not replaced: sessions would end without a word', async () => {
  const path = join(await folder(), 'session')
  await writeFile(path, '')
  await expect(readOrMakeSecret(path)).rejects.toThrow(/session is empty or too short/)
})
