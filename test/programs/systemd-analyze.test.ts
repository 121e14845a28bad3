import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runProgram, temporaryFile } from '#test/fixtures/processes.ts'

test('systemd accepts the unit file, and rates its security exposure below 2', async () => {
  const unit = readFileSync('deploy/knots-and-love.service', 'utf8')
  // Node may have a different path on this machine.
  const path = await temporaryFile(
    'knots-and-love.service',
    unit.replace('/usr/bin/node', process.execPath),
  )
  expect(runProgram('systemd-analyze', ['verify', '--man=no', path])).toBe('')
  const exposure = runProgram('systemd-analyze', ['security', '--offline=true', path])
  expect(Number(/exposure level for \S+: ([\d.]+)/.exec(exposure)?.[1])).toBeLessThan(2)
})
