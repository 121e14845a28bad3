import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runProgram, temporaryFile } from '#test/fixtures/processes.ts'

test('nginx accepts its configuration file', async () => {
  // Removes the certificate, which this machine does not have, and uses ports that need no root.
  const text = readFileSync('deploy/nginx.conf', 'utf8')
    .replace(/^\s*ssl_.*\n/gm, '')
    .replaceAll('443 ssl http2', '8443')
    .replaceAll(' 80;', ' 8080;')
    .replaceAll(']:80;', ']:8080;')
  const path = await temporaryFile('nginx.conf', `pid /dev/null;\nerror_log stderr;\nevents {}\nhttp {\n${text}\n}\n`)
  expect(runProgram('nginx', ['-t', '-q', '-c', path])).toBe('')
})
