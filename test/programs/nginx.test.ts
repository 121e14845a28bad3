import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runProgram, temporaryFile } from '#test/fixtures/processes.ts'

test('nginx accepts the configuration file deploy/nginx.conf', async () => {
  // Removes the certificate, because this machine has none, and uses ports that need no root rights.
  const text = readFileSync('deploy/nginx.conf', 'utf8')
    .replace(/^\s*ssl_.*\n/gm, '')
    .replaceAll('443 ssl http2', '8443')
    .replaceAll(' 80;', ' 8080;')
    .replaceAll(']:80;', ']:8080;')
  const path = await temporaryFile('nginx.conf', `pid /dev/null;\nerror_log stderr;\nevents {}\nhttp {\n${text}\n}\n`)
  expect(runProgram('nginx', ['-t', '-q', '-c', path])).toBe('')
})
