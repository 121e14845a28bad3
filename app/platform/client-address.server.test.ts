import { expect, test } from 'vitest'
import { openClientAddress } from './client-address.server.ts'

test('S-239 by default a proxy on this machine is believed, and nobody else', () => {
  const addressOf = openClientAddress()
  expect(addressOf('127.0.0.1', '6.6.6.6, 203.0.113.9')).toBe('203.0.113.9')
  expect(addressOf('::ffff:127.0.0.1', '203.0.113.9')).toBe('203.0.113.9')
  expect(addressOf('::1', '203.0.113.9')).toBe('203.0.113.9')
  for (const remote of ['203.0.113.1', '10.0.0.7', '192.168.1.7', '169.254.1.1']) expect(addressOf(remote, '198.51.100.1')).toBe(remote)
  expect(addressOf('127.0.0.1', undefined)).toBe('127.0.0.1')
  expect(addressOf(undefined, '203.0.113.9')).toBe('203.0.113.9')
})

test('S-239 a chain is read from the right, through the trusted ones only: what a visitor writes herself counts for nothing', () => {
  const addressOf = openClientAddress('loopback, 10.0.0.0/8 2001:db8:f::/48,198.51.100.7')
  expect(addressOf('10.1.2.3', '1.1.1.1, 203.0.113.9, 198.51.100.7, 10.9.9.9')).toBe('203.0.113.9')
  expect(addressOf('::ffff:10.1.2.3', '203.0.113.9, ::ffff:198.51.100.7')).toBe('203.0.113.9')
  expect(addressOf('2001:db8:f::5', '203.0.113.9')).toBe('203.0.113.9')
  // Only the trusted ones, and only the first who is not: nobody pretends to come from inside.
  expect(addressOf('10.1.2.3', '203.0.113.9, 198.51.100.8')).toBe('198.51.100.8')
  expect(addressOf('203.0.113.1', '10.0.0.1')).toBe('203.0.113.1')
  // Everybody on the way is trusted: the one farthest away.
  expect(addressOf('127.0.0.1', '10.0.0.5, 10.0.0.6')).toBe('10.0.0.5')
})

test('S-239 none believes nobody, private believes whoever has an address of a home or a container', () => {
  expect(openClientAddress('none')('127.0.0.1', '203.0.113.9')).toBe('127.0.0.1')
  const addressOf = openClientAddress('private')
  for (const remote of ['10.0.0.7', '172.17.0.1', '192.168.1.1', 'fd00::1', 'fe80::1%eth0', '::ffff:172.31.0.1'])
    expect(addressOf(remote, '203.0.113.9'), remote).toBe('203.0.113.9')
  expect(addressOf('172.32.0.1', '203.0.113.9')).toBe('172.32.0.1')
})

test('the addresses of one IPv6 network share their limits', () => {
  const addressOf = openClientAddress()
  const seen = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:0DB8:0001:0002:a:b:c:d', '2001:db8:1:2:a:b:1.2.3.4'].map((address) => [
    addressOf(address, undefined),
    addressOf('127.0.0.1', address),
    addressOf('::1', `6.6.6.6, [${address}]:4711`),
  ])
  expect([...new Set(seen.flat())]).toEqual(['2001:db8:1:2::'])
  expect(addressOf('2001:db8:1:3::1', undefined)).toBe('2001:db8:1:3::')
  expect(addressOf('2001:db8::1', undefined)).toBe('2001:db8:0:0::')
  expect(addressOf('::1', undefined)).toBe('::1')
})

test('S-239 what is no address, or one with a port, or a chain without end, is no way round the limits', () => {
  const addressOf = openClientAddress('10.0.0.7')
  expect(addressOf('10.0.0.7', '203.0.113.9:50123')).toBe('203.0.113.9')
  expect(addressOf('10.0.0.7', '::ffff:203.0.113.9')).toBe('203.0.113.9')
  for (const told of ['unknown', 'x1', '', '1.2.3', '203.0.113.9 x', '[', '::1::', '\u00ff', 'x'.repeat(500), '203.0.113.9, unknown', ','])
    expect(addressOf('10.0.0.7', told), told).toBe('10.0.0.7')
  expect(addressOf('10.0.0.7', '10.0.0.7,'.repeat(5000) + '203.0.113.9')).toBe('203.0.113.9')
})

test('S-239 a proxy that nobody named is noticed', () => {
  const noticed: string[] = []
  const addressOf = openClientAddress('loopback', (remote) => noticed.push(remote))
  addressOf('172.17.0.1', '203.0.113.9')
  addressOf('127.0.0.1', '203.0.113.9')
  addressOf('203.0.113.9', undefined)
  expect(noticed).toEqual(['172.17.0.1'])
})
