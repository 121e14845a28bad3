import { expect, test } from 'vitest'
import { isEmail } from './contact.server.ts'

const emails = {
  taken: [
    'dora@mail.test',
    'dora+knots@mail.test',
    'd@a.io',
    "o'neill_{x}=!#$%&*/?^`|~@mail.test",
    '"dora knott"@mail.test',
    '"quoted\\"mark@home"@mail.test',
    'dora@a.b.c.d.mail.test',
    'dora@mail-house.photography',
    'dora@bücher.example',
    'dora@例え.テスト',
    'dora@xn--bcher-kva.xn--p1ai',
    'jürgen@mail.test',
    '1@2.example',
    `${'x'.repeat(64)}@mail.test`,
    'DORA@MAIL.TEST',
  ],
  refused: [
    '',
    'dora',
    '@mail.test',
    'dora@',
    'dora@mail',
    'dora@@mail.test',
    'dora@mail@test.x',
    'dora@.test',
    'dora@mail..test',
    'dora@-mail.test',
    'dora@mail-.test',
    'dora@mail.t',
    'dora@mail.123',
    'dora@192.0.2.1',
    '.dora@mail.test',
    'dora.@mail.test',
    'do..ra@mail.test',
    'do ra@mail.test',
    'dora@mail test.test',
    'dora@mail.test, all@mail.test',
    'dora@mail.test;all@mail.test',
    'Dora <dora@mail.test>',
    '"x" <all@mail.test>, "y"@mail.test',
    'dora@mail.test\r\nBcc: all@mail.test',
    'dora\n@mail.test',
    'dora@mail.test\u2028Bcc: all@mail.test',
    '"do\r\nra"@mail.test',
    '"a, b <c@d>"@mail.test',
    '=?utf-8?Q?=0ABcc:all?=@mail.test\u0000',
    `${'x'.repeat(65)}@mail.test`,
    `dora@${'x'.repeat(64)}.test`,
    `dora@${'mail.'.repeat(50)}test`,
    '🧶@mail.test',
  ],
}

test('CONTACT-15 addresses of every odd but valid kind are taken, and what is none is refused', () => {
  expect(emails.taken.filter((email) => !isEmail(email))).toEqual([])
  expect(emails.refused.filter(isEmail)).toEqual([])
})
