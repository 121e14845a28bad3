import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:http2'
import { request } from 'node:https'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '#test/fixtures/network.ts'
import { newDataDir, openProcess, runProgram } from '#test/fixtures/processes.ts'

test('Caddy accepts the shop’s Caddyfile, and the formatter of Caddy would not change the file', () => {
  runProgram('caddy', ['validate', '--config', 'deploy/Caddyfile', '--adapter', 'caddyfile'])
  expect(runProgram('caddy', ['fmt', 'deploy/Caddyfile'])).toBe(
    readFileSync('deploy/Caddyfile', 'utf8'),
  )
})

test('behind Caddy, HTTP/2 pages, forms, cookies and WebSockets work, and the shop sees the addresses of visitors', async () => {
  const port = await freePort()
  const folder = await newDataDir()
  const publicUrl = `https://localhost:${port}`
  const inside = await freePort()
  const settings = {
    DATA_DIR: folder,
    PUBLIC_URL: publicUrl,
    PORT: String(inside),
    ACCESS_LOG: '1',
    OWNER_PASSWORD: 'owner-password',
  }
  const shop = openProcess(settings)
  await shop.opened()

  const config = (await readFile('deploy/Caddyfile', 'utf8'))
    .replace(
      'shop.example {',
      `{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n${publicUrl} {\n\ttls internal`,
    )
    .replace('127.0.0.1:3000', `127.0.0.1:${inside}`)
  await mkdir(join(folder, 'caddy'))
  await writeFile(join(folder, 'caddy', 'Caddyfile'), config)
  const proxy = spawn(
    'caddy',
    ['run', '--config', join(folder, 'caddy', 'Caddyfile'), '--adapter', 'caddyfile'],
    {
      env: {
        ...process.env,
        XDG_DATA_HOME: join(folder, 'caddy'),
        XDG_CONFIG_HOME: join(folder, 'caddy'),
        HOME: folder,
      },
      stdio: 'ignore',
    },
  )
  onTestFinished(async () => {
    proxy.kill('SIGKILL')
    await once(proxy, 'close')
  })

  const ask = (
    path: string,
    {
      method = 'GET',
      headers = {},
      body = '',
    }: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
  ) =>
    new Promise<{
      status: number
      headers: Record<string, string | string[] | undefined>
      text: string
    }>((done, fail) => {
      const sent = request(
        { host: 'localhost', port, path, method, headers, rejectUnauthorized: false },
        async (response) => {
          const text = (await response.toArray()).join('')
          done({ status: response.statusCode!, headers: response.headers, text })
        },
      )
      sent.on('error', fail)
      sent.end(body)
    })
  await expect
    .poll(() =>
      ask('/ready').then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200)

  const http2 = connect(publicUrl, { rejectUnauthorized: false })
  const page = http2.request({ ':path': '/about/' })
  const [head] = await once(page, 'response')
  expect(head[':status']).toBe(200)
  page.close()
  http2.close()

  // The shop shows metrics only to programs on its own machine, and refuses this request because it
  // came through Caddy.
  expect((await ask('/metrics')).status).toBe(404)
  const body = new URLSearchParams({
    intent: 'login',
    email: 'owner@example.com',
    password: 'owner-password',
  }).toString()
  const form = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
  }
  const signedIn = await ask('/login', {
    method: 'POST',
    headers: { ...form, origin: publicUrl },
    body,
  })
  expect(signedIn.status).toBe(302)
  const cookies = (signedIn.headers['set-cookie'] as string[]).map((line) => line.split(';')[0]!)
  expect(cookies.some((cookie) => cookie.startsWith('__Host-'))).toBe(true)
  expect((await ask('/manage/', { headers: { cookie: cookies.join('; ') } })).status).toBe(200)
  expect(
    (
      await ask('/login', {
        method: 'POST',
        headers: { ...form, origin: 'https://evil.test' },
        body,
      })
    ).status,
  ).toBe(403)

  const socket = new WebSocket(`wss://localhost:${port}/live`, {
    origin: publicUrl,
    rejectUnauthorized: false,
  })
  const [greeting] = await once(socket, 'message')
  expect(String(greeting)).toContain('version')
  socket.terminate()

  // The shop uses the request id that Caddy adds, and ignores an id that a visitor sends.
  const { headers } = await ask('/account/', {
    headers: { 'x-request-id': 'a-visitors-own-idea', 'x-forwarded-for': '203.0.113.9' },
  })
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  await expect
    .poll(() => shop.output())
    .toContain(`"requestId":"${String(headers['x-request-id'])}"`)
  expect(shop.output()).not.toContain('is not a trusted proxy')

  const large = Buffer.alloc(35 * 1024 * 1024)
  const refused = await ask('/manage/import-export', {
    method: 'POST',
    headers: {
      'content-length': String(large.length),
      origin: publicUrl,
      'content-type': 'multipart/form-data; boundary=x',
    },
    body: large,
  }).then(
    ({ status }) => status,
    () => 413,
  )
  expect(refused).toBe(413)
})
