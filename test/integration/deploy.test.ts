/**
 * Compares the configuration files for deployment with the code. test/programs tests that systemd,
 * Caddy and nginx accept their configuration files.
 */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readEnv } from '#lib/config/env.server.ts'
import { checkProductionConfig } from '#lib/config/production-checks.server.ts'

const read = (path: string) => readFileSync(path, 'utf8')

const unit = read('deploy/knots-and-love.service')
const settingsOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Za-z]+)=(.*)$/gm)].map(([, key, value]) => [key!, value!]),
  )

test('the systemd unit starts the server as a system user who may write only to the folders of the shop', () => {
  const settings = settingsOf(unit)
  expect(existsSync(settings.ExecStart!.split(' ').at(-1)!)).toBe(true)
  expect(settings).toMatchObject({
    User: 'knots',
    ProtectSystem: 'strict',
    NoNewPrivileges: 'yes',
    UMask: '0077',
    StateDirectory: 'knots-and-love',
  })
  const own = Object.fromEntries(
    settings.Environment!.split(' ').map((pair) => pair.split('=') as [string, string]),
  )
  expect(readEnv(own)).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    dataDir: `/var/lib/${settings.StateDirectory}`,
  })
  // When systemd stops the shop, systemd must wait longer than the shop waits for pending HTTP
  // responses.
  expect(Number(settings.TimeoutStopSec)).toBeGreaterThan(5)
})

test('the systemd unit and the container limit the memory of the process in the same way as "npm start"', () => {
  const limitsIn = (path: string) =>
    read(path)
      .match(/--max-[a-z-]+=\d+|MALLOC_\w+=\d+/g)
      ?.toSorted()
  expect(limitsIn('package.json')).toHaveLength(4)
  expect(limitsIn('deploy/knots-and-love.service')).toEqual(limitsIn('package.json'))
  expect(limitsIn('deploy/Dockerfile')).toEqual(limitsIn('package.json'))
})

test('the example settings file names only existing settings, and the shop refuses to start with the example values', () => {
  const text = read('deploy/knots-and-love.env')
  const names = [...text.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name!)
  const settings = read('docs/configuration.md')
  for (const name of names) expect(settings, name).toContain(`\n| \`${name}\``)
  const all = text.replace(/^#(?=[A-Z_]+=)/gm, '')
  const variables = Object.fromEntries(
    [...all.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
  )
  const lines = checkProductionConfig(readEnv(variables), variables).map(
    (line) => line.split(' ')[0],
  )
  expect(lines).toEqual(['OWNER_EMAIL', 'DATABASE_URL', 'SMTP_URL', 'STORAGE_URL', 'METRICS_TOKEN'])
})

test('Caddy forwards requests to the address in the systemd unit, with bodies up to the limit of the shop', () => {
  const text = read('deploy/Caddyfile')
  expect(text).toContain('reverse_proxy 127.0.0.1:3000 {')
  expect(Number(/max_size (\d+)MB/.exec(text)?.[1])).toBeGreaterThanOrEqual(33)
})

test('nginx forwards requests to the address in the systemd unit, and overwrites a client address that a visitor sends', () => {
  const text = read('deploy/nginx.conf')
  expect(text).toContain('server 127.0.0.1:3000;')
  expect(Number(/client_max_body_size (\d+)m/.exec(text)?.[1])).toBeGreaterThanOrEqual(33)
  expect(text.match(/proxy_set_header X-Forwarded-For \$remote_addr;/g)).toHaveLength(
    text.match(/proxy_pass /g)!.length,
  )
})

test('the container images contain all files that the shop reads, and no password', () => {
  const dockerfile = read('deploy/Dockerfile')
  const copied = [...dockerfile.matchAll(/^COPY --from=build \/shop\/(\S+)/gm)].map(
    ([, path]) => path!,
  )
  expect(copied.filter((path) => path !== 'build').every((path) => existsSync(path))).toBe(true)
  for (const folder of ['server', 'app', 'db', 'build', 'node_modules', 'package.json']) {
    expect(copied).toContain(folder)
  }
  expect(dockerfile).toMatch(/^USER node$/m)

  const compose = read('deploy/compose.yaml')
  for (const [, value] of compose.matchAll(/(?:PASSWORD|SECRET)\w*: (.+)/g)) {
    expect(value).toMatch(/^\$\{/)
  }
  for (const [, , password] of compose.matchAll(/(\w+):\/\/shop:([^@]+)@/g)) {
    expect(password).toMatch(/^\$\{/)
  }
  const secret = 'Vq7rT2mWc9Vq7rT2mWc9'
  const filled = compose.replace(
    /\$\{(\w+)(:\?[^}]*)?\}/g,
    (_, name: string) =>
      ({
        SHOP_HOST: 'knots.shop',
        OWNER_EMAIL: 'ona@knots.shop',
        SMTP_URL: `smtps://a:${secret}@mail.knots.shop`,
      })[name] ?? secret,
  )
  const environment = /^ {2}shop:[\s\S]*? {4}environment:\n((?: {6}.*\n)+)/m.exec(filled)![1]!
  const variables = Object.fromEntries(
    [...environment.matchAll(/^ {6}([A-Z_]+): (.*)$/gm)].map(([, name, value]) => [name!, value!]),
  )
  const ofImage = { HOST: '0.0.0.0', DEMO: '0' }
  expect(checkProductionConfig(readEnv({ ...ofImage, ...variables }), variables)).toEqual([])
})
