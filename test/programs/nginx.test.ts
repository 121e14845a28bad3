import { readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '#test/fixtures/network.ts'
import { runProgram, temporaryFile } from '#test/fixtures/processes.ts'

test('nginx accepts the configuration file deploy/nginx.conf', async () => {
  // Removes the certificate, because this machine has none, and uses ports that need no root
  // rights.
  const text = readFileSync('deploy/nginx.conf', 'utf8')
    .replace(/^\s*ssl_.*\n/gm, '')
    .replaceAll('443 ssl http2', '8443')
    .replaceAll(' 80;', ' 8080;')
    .replaceAll(']:80;', ']:8080;')
  const path = await temporaryFile(
    'nginx.conf',
    `pid /dev/null;\nerror_log stderr;\nevents {}\nhttp {\n${text}\n}\n`,
  )
  expect(runProgram('nginx', ['-t', '-q', '-c', path])).toBe('')
})

test('nginx counts all addresses of an IPv6 network as one visitor [S-424]', async () => {
  const zones = readFileSync('deploy/nginx.conf', 'utf8')
    .split(/^server /m)[0]!
    .replace('rate=30r/s', 'rate=1r/m')
  const port = await freePort()
  const server = `server { listen 127.0.0.1:${port}; set_real_ip_from 127.0.0.1; limit_req zone=shop_requests; location / { try_files /none =404; } }`
  const path = await temporaryFile('nginx.conf', '')
  const files = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${dirname(path)}/${name};`)
    .join(' ')
  const [pid, log] = [`pid ${path}.pid;`, `error_log ${path}.log;`]
  writeFileSync(
    path,
    `${pid} ${log} events {} http { access_log off; ${files} ${zones} ${server} }`,
  )
  runProgram('nginx', ['-q', '-c', path])
  onTestFinished(() => void runProgram('nginx', ['-s', 'stop', '-c', path]))
  const statuses: number[] = []
  for (const address of [
    '2001:db8::1',
    '2001:db8:0:0:9::2',
    '2001:db8:0:1::1',
    '203.0.113.1',
    '203.0.113.2',
    '203.0.113.2',
  ]) {
    statuses.push(
      (await fetch(`http://127.0.0.1:${port}/`, { headers: { 'x-real-ip': address } })).status,
    )
  }
  expect(statuses).toEqual([404, 503, 404, 404, 404, 503])
})
