import { expect, test } from 'vitest'
import { createClientAddress } from './client-address.server.ts'

test('trusts only a proxy on this machine by default [S-239]', () => {
  const addressOf = createClientAddress()
  expect(addressOf('127.0.0.1', '6.6.6.6, 203.0.113.9')).toBe('203.0.113.9')
  expect(addressOf('::ffff:127.0.0.1', '203.0.113.9')).toBe('203.0.113.9')
  expect(addressOf('::1', '203.0.113.9')).toBe('203.0.113.9')
  for (const remote of ['203.0.113.1', '10.0.0.7', '192.168.1.7', '169.254.1.1']) {
    expect(addressOf(remote, '198.51.100.1')).toBe(remote)
  }
  expect(addressOf('127.0.0.1', undefined)).toBe('127.0.0.1')
  expect(addressOf(undefined, '203.0.113.9')).toBe('203.0.113.9')
})

test('reads the addresses in X-Forwarded-For from right to left, up to the first address that is not a trusted proxy [S-239]', () => {
  const addressOf = createClientAddress('loopback, 10.0.0.0/8 2001:db8:f::/48,198.51.100.7')
  expect(addressOf('10.1.2.3', '1.1.1.1, 203.0.113.9, 198.51.100.7, 10.9.9.9')).toBe('203.0.113.9')
  expect(addressOf('::ffff:10.1.2.3', '203.0.113.9, ::ffff:198.51.100.7')).toBe('203.0.113.9')
  expect(addressOf('2001:db8:f::5', '203.0.113.9')).toBe('203.0.113.9')
  // The first untrusted address from the right counts, so that no client can pretend to have an
  // internal address.
  expect(addressOf('10.1.2.3', '203.0.113.9, 198.51.100.8')).toBe('198.51.100.8')
  expect(addressOf('203.0.113.1', '10.0.0.1')).toBe('203.0.113.1')
  // If all addresses are trusted, the address farthest from the shop counts.
  expect(addressOf('127.0.0.1', '10.0.0.5, 10.0.0.6')).toBe('10.0.0.5')
})

test('trusts no proxy with the setting "none", and trusts proxies with private addresses with the setting "private" [S-239]', () => {
  expect(createClientAddress('none')('127.0.0.1', '203.0.113.9')).toBe('127.0.0.1')
  const addressOf = createClientAddress('private')
  for (const remote of [
    '10.0.0.7',
    '172.17.0.1',
    '192.168.1.1',
    'fd00::1',
    'fe80::1%eth0',
    '::ffff:172.31.0.1',
  ]) {
    expect(addressOf(remote, '203.0.113.9'), remote).toBe('203.0.113.9')
  }
  expect(addressOf('172.32.0.1', '203.0.113.9')).toBe('172.32.0.1')
})

test('counts all addresses of an IPv6 network as one client in rate limits', () => {
  const addressOf = createClientAddress()
  const seen = [
    '2001:db8:1:2::1',
    '2001:db8:1:2:ffff::9',
    '2001:0DB8:0001:0002:a:b:c:d',
    '2001:db8:1:2:a:b:1.2.3.4',
  ].map((address) => [
    addressOf(address, undefined),
    addressOf('127.0.0.1', address),
    addressOf('::1', `6.6.6.6, [${address}]:4711`),
  ])
  expect([...new Set(seen.flat())]).toEqual(['2001:db8:1:2::'])
  expect(addressOf('2001:db8:1:3::1', undefined)).toBe('2001:db8:1:3::')
  expect(addressOf('2001:db8::1', undefined)).toBe('2001:db8:0:0::')
  expect(addressOf('::1', undefined)).toBe('::1')
})

test('ignores ports, invalid addresses and very long chains in X-Forwarded-For [S-239]', () => {
  const addressOf = createClientAddress('10.0.0.7')
  expect(addressOf('10.0.0.7', '203.0.113.9:50123')).toBe('203.0.113.9')
  expect(addressOf('10.0.0.7', '::ffff:203.0.113.9')).toBe('203.0.113.9')
  for (const value of [
    'unknown',
    'x1',
    '',
    '1.2.3',
    '203.0.113.9 x',
    '[',
    '::1::',
    '\u00ff',
    'x'.repeat(500),
    '203.0.113.9, unknown',
    ',',
  ]) {
    expect(addressOf('10.0.0.7', value), value).toBe('10.0.0.7')
  }
  expect(addressOf('10.0.0.7', '10.0.0.7,'.repeat(5000) + '203.0.113.9')).toBe('203.0.113.9')
})

test('reports a proxy that sets X-Forwarded-For but is not configured as trusted [S-239]', () => {
  const noticed: string[] = []
  const addressOf = createClientAddress('loopback', (remote) => noticed.push(remote))
  addressOf('172.17.0.1', '203.0.113.9')
  addressOf('127.0.0.1', '203.0.113.9')
  addressOf('203.0.113.9', undefined)
  expect(noticed).toEqual(['172.17.0.1'])
})
