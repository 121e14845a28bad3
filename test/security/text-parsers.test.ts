/** Every function that parses a typed text must be fast for a long text of one character. */
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseTypedDiscount } from '#discounts/discount.ts'
import { findLinks } from '#messaging/message-links.server.ts'
import { parsePaymentName } from '#settings/payment-settings.ts'
import { parseSocialPage } from '#settings/shop-settings.ts'
import { cpuTimeOf } from '#test/fixtures/cpu-time.ts'

type Parser = (text: string) => unknown

const LENGTH = 60_000
const characters = [...' \t\n\r\u00a0\u3000', ...`0a.,:;-_+@/\\'"’\`<>()[]{}&%$#*=?!|~^é€🙂`]

const otherParsers: Record<string, Parser> = {
  findLinks,
  parseTypedDiscount: (text) => parseTypedDiscount('amount', text),
  parsePaymentName: (text) => parsePaymentName('payPal', text),
  parseSocialPage: (text) => parseSocialPage('facebook', text),
}

/** The exported functions that parse one text. */
async function textParsers() {
  const parsers = Object.entries(otherParsers)
  const exported = /^export (?:const|function) (parse\w+)(?: = )?\(\s*\w+: string[,)]/gm
  for (const file of globSync('app/**/*.ts', { exclude: ['**/*.test.ts'] })) {
    for (const [, name] of readFileSync(file, 'utf8').matchAll(exported)) {
      const module = (await import(resolve(file))) as Record<string, Parser>
      parsers.push([name!, module[name!]!])
    }
  }
  return parsers
}

test('no parser of typed texts takes long for 60 kB of one character', async () => {
  const parsers = await textParsers()
  const names = parsers.map(([name]) => name)
  expect(names).toEqual(expect.arrayContaining(['parseMoney', 'parseName', 'parseIban']))
  const texts = characters.flatMap((character) => {
    const repeated = character.repeat(LENGTH)
    return [repeated, `1${repeated}!`]
  })
  const usual = await cpuTimeOf(() => texts.map((text) => text.normalize('NFKD').split('')))
  for (const [name, parse] of parsers) {
    const hostile = await cpuTimeOf(() => texts.map((text) => parse(text)))
    expect(hostile / usual, name).toBeLessThan(20)
  }
})
