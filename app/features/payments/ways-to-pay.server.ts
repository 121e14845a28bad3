/** Creates the links, bank data and QR codes with which a customer pays. No amount and no reference comes from the browser. */
import { createHash } from 'node:crypto'
import { decimalAmount, type Cents } from '#app/features/pricing/money.ts'
import type { BankFact, WayToPay } from '#app/features/orders/offer-payment.ts'
import type { PaymentSettings } from '#app/features/settings/payment-settings.ts'
import type { Currency } from '#app/lib/text/currency.ts'
import { drawQr } from '#app/ui/qr-code.server.ts'

/** Contains only letters and digits that people do not confuse. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns the payment reference of an offer, such as 'KL-7F3K2'. It depends only on the id of the offer, so it never changes. [AGREE-44] */
export function paymentReference(offerId: string): string {
  const bytes = createHash('sha256').update(offerId).digest().subarray(0, 5)
  return `KL-${[...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}`
}

/** PayPal.me links can contain amounts in these currencies. */
const PAYPAL_CURRENCIES = new Set(
  'AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(
    ' ',
  ),
)

type Asked = { cents: Cents; reference: string; currency: Currency }

/** Lists the ways to pay that the owner has filled in. */
export function waysToPay(
  settings: PaymentSettings,
  { cents, reference, currency }: Asked,
): WayToPay[] {
  const amount = decimalAmount(cents)
  const {
    payPal,
    venmo,
    cashApp,
    accountHolder,
    iban,
    bic,
    routingNumber,
    accountNumber,
    cashAtHandover,
    otherWay,
  } = settings
  const isDollar = currency.code === 'USD'
  const ways: WayToPay[] = []
  if (payPal)
    ways.push(
      link(
        'payPal',
        `https://paypal.me/${payPal}${PAYPAL_CURRENCIES.has(currency.code) ? `/${amount}${currency.code}` : ''}`,
      ),
    )
  if (venmo && isDollar)
    ways.push(
      link(
        'venmo',
        `https://venmo.com/${venmo}?${new URLSearchParams({ txn: 'pay', amount, note: reference })}`,
      ),
    )
  if (cashApp && isDollar) ways.push(link('cashApp', `https://cash.app/$${cashApp}/${amount}`))
  if (iban) {
    const code =
      currency.code === 'EUR' && accountHolder !== ''
        ? { qr: drawQr(epcText({ accountHolder, iban, bic, amount, reference })) }
        : {}
    ways.push({
      way: 'bank',
      facts: known({ accountHolder, iban: iban.replaceAll(/(.{4})(?=.)/g, '$1 '), bic }),
      ...code,
    })
  }
  if (routingNumber && accountNumber)
    ways.push({ way: 'usBank', facts: known({ accountHolder, routingNumber, accountNumber }) })
  if (cashAtHandover) ways.push({ way: 'cash' })
  if (otherWay) ways.push({ way: 'other', text: otherWay })
  return ways
}

const link = (way: WayToPay['way'], href: string): WayToPay => ({ way, href, qr: drawQr(href) })

const known = (facts: Partial<Record<BankFact, string>>) =>
  Object.entries(facts).filter(([, value]) => value !== '') as [BankFact, string][]

/** Returns the content of the QR code for a SEPA credit transfer, as the European Payments Council defines it (EPC069-12, version 2). */
export const epcText = (
  transfer: Pick<PaymentSettings, 'accountHolder' | 'iban' | 'bic'> & {
    amount: string
    reference: string
  },
): string =>
  [
    'BCD',
    '002',
    '1',
    'SCT',
    transfer.bic,
    transfer.accountHolder,
    transfer.iban,
    `EUR${transfer.amount}`,
    '',
    '',
    transfer.reference,
  ].join('\n')
