import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDataDir, openProcess, startAndFail } from '#test/fixtures/processes.ts'

const PUBLIC = { PUBLIC_URL: 'https://shop.example' }

test('a public shop refuses to start with trial settings, prints a line for each of these settings, and creates nothing [S-269]', async () => {
  const dataDir = join(await newDataDir(), 'shop')
  const { code, lines } = await startAndFail({
    ...PUBLIC,
    DATA_DIR: dataDir,
    DEMO: '',
    OWNER_PASSWORD: 'owner-password',
  })
  expect(code).toBe(1)
  expect(lines.map((line) => line.split(' ').slice(0, 5).join(' '))).toEqual(
    ['OWNER_EMAIL', 'OWNER_PASSWORD', 'DEMO'].map((name) => `The shop cannot start: ${name}`),
  )
  expect(existsSync(dataDir)).toBe(false)
})

test('a public shop refuses to start while its owner has the password of a trial shop [S-269]', async () => {
  const dataDir = await newDataDir()
  const trial = openProcess({ DATA_DIR: dataDir, OWNER_PASSWORD: 'owner-password' })
  await trial.opened()
  await trial.stop()
  const { code, lines } = await startAndFail({
    ...PUBLIC,
    DATA_DIR: dataDir,
    OWNER_EMAIL: 'ona@knots.shop',
  })
  expect(code).toBe(1)
  expect(lines).toEqual([
    expect.stringMatching(/^The shop cannot start: The owner has a password that everyone knows: /),
  ])
})
