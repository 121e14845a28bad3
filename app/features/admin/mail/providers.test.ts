import { expect, test } from 'vitest'
import { openSmtp } from '#test/fixtures/email.ts'
import { descriptionOf, errorsOf, hiddenFieldsOf, messagesOf, pageOf } from '#test/fixtures/html.ts'
import { openTestShop, OWNER } from '#test/fixtures/test-shop.ts'
import { findProvider, findProviderByExchangers, providers } from './providers.ts'

const page = '/manage/mail/'
const server = 'Mail server'

async function openForm(exchangers: Record<string, string[]> = {}) {
  const asked: string[] = []
  const shop = await openTestShop({
    hasMailServer: false,
    async readMailExchangers(domain) {
      asked.push(domain)
      return exchangers[domain] ?? []
    },
  })
  const owner = await shop.owner()
  // The hidden fields are those that a browser without JavaScript sends.
  const find = async (user: string) => {
    const hidden = hiddenFieldsOf(await owner.page(page), '#mailbox-form')
    const response = await owner.post(page, { ...hidden, user })
    const html = await response.text()
    return { status: response.status, html, form: pageOf(html) }
  }
  return { shop, owner, asked, find }
}
type Form = ReturnType<typeof pageOf>
const valueOf = (form: Form, label: string) => form.getByLabelText(label).getAttribute('value')

test('a new mailbox begins with its address alone, and the next step has the server and port of its provider filled in, without JavaScript and without a look-up [OWN-150]', async () => {
  const { owner, asked, find } = await openForm()
  const first = pageOf(await owner.page(page))
  expect(first.getByRole('button', { name: 'Continue' })).toBeTruthy()
  expect(first.queryByLabelText(server)).toBeNull()

  const { status, form } = await find(' Ida@GMX.at ')
  expect(status).toBe(200)
  expect(valueOf(form, 'Email address of the mailbox')).toBe('Ida@GMX.at')
  expect(valueOf(form, server)).toBe('mail.gmx.net')
  expect(valueOf(form, 'Port')).toBe('465')
  expect(form.getByText('Settings of GMX: mail.gmx.net, port 465 with TLS.')).toBeTruthy()
  expect(form.getByRole('button', { name: 'Save mailbox' })).toBeTruthy()
  expect(asked).toEqual([])

  const empty = await find(' ')
  expect(empty.status).toBe(422)
  expect(errorsOf(empty.form)).toEqual({
    'Email address of the mailbox': 'Please enter the email address of your mailbox',
  })
})

test('the second step saves the mailbox without JavaScript, and the page says so [OWN-150]', async () => {
  const { owner, find } = await openForm()
  const smtp = await openSmtp({ password: 'app-password' })
  const { html } = await find('ida@knots.test')
  const response = await owner.post(page, {
    ...hiddenFieldsOf(html, '#mailbox-form'),
    ...{ user: 'ida@knots.test', host: '127.0.0.1', port: new URL(smtp.url).port },
    mailboxPassword: 'app-password',
    password: OWNER.password,
  })
  expect(messagesOf(await response.text())).toContain('Your mailbox works and is saved.')
})

test('the shop recognizes the provider of an own domain by the servers that receive its emails [OWN-151]', async () => {
  const { asked, find } = await openForm({
    'knots.test': ['ALT1.aspmx.l.google.com'],
    'yarn.test': ['mx.yarn.test'],
  })
  const { form } = await find('ida@knots.test')
  expect(valueOf(form, server)).toBe('smtp.gmail.com')
  expect(form.getByText(/^Settings of Google: /)).toBeTruthy()

  const unknown = await find('ida@yarn.test')
  expect(valueOf(unknown.form, server)).toBe('')
  expect(valueOf(unknown.form, 'Port')).toBe('587')
  expect(unknown.form.getByText(/usually smtp\.yarn\.test, 587 with STARTTLS/)).toBeTruthy()
  await find('no address')
  expect(asked).toEqual(['knots.test', 'yarn.test'])
})

test.each([
  ['ida-test.mail.protection.outlook.com', 'smtp.office365.com'],
  ['hotmail-com.olc.protection.outlook.com', 'smtp-mail.outlook.com'],
  ['mx00.ionos.de', 'smtp.ionos.de'],
  ['mx01.kundenserver.de', 'smtp.ionos.de'],
  ['mx00.ionos.co.uk', 'smtp.ionos.co.uk'],
  ['smtpin.rzone.de', 'smtp.strato.de'],
  ['in1-smtp.messagingengine.com', 'smtp.fastmail.com'],
  ['mx.zoho.eu', 'smtppro.zoho.eu'],
  ['mail.protonmail.ch', 'smtp.protonmail.ch'],
  ['www123.your-server.de', 'mail.your-server.de'],
  ['notgoogle.com', undefined],
])('emails for own domains at %s are sent by %s [OWN-151]', (exchanger, host) => {
  expect(findProviderByExchangers([exchanger])?.host).toBe(host)
})

test('each domain belongs to one provider, with a server name and a port that the form accepts [OWN-150]', () => {
  const domains = providers.flatMap((provider) => provider.domains)
  expect(new Set(domains).size).toBe(domains.length)
  const ends = providers.flatMap(({ exchangers = [] }) => exchangers)
  expect(new Set(ends).size).toBe(ends.length)
  for (const { host, port, advice = 'None.' } of providers) {
    expect(host).toMatch(/^[a-z0-9]+([.-][a-z0-9]+)+$/)
    expect([465, 587, 1025]).toContain(port)
    expect(advice).toMatch(/^[A-Z].*\.$/)
  }
  for (const domain of ['googlemail.com', 'msn.com', 'mac.com', 'web.de', 'pm.me', 'verizon.net']) {
    expect(findProvider(`ida@${domain}`), domain).toBeDefined()
  }
  expect(findProvider('gmail.com')).toBeUndefined()
})

test('the form explains the app password of the provider, and a refused login or server says what to try next [OWN-152]', async () => {
  const { owner, find } = await openForm()
  const { form } = await find('ida@gmail.com')
  expect(descriptionOf(form, 'Password of the mailbox')).toContain('Google wants an app password')

  const smtp = await openSmtp({ password: 'app-password' })
  const save = async (user: string, host: string, port: string) => {
    const response = await owner.post(page, {
      intent: 'save-mailbox',
      ...{ user, host, port },
      mailboxPassword: 'usual-password',
      password: OWNER.password,
    })
    expect(response.status).toBe(422)
    return Object.values(errorsOf(pageOf(await response.text()))).join()
  }
  const { port } = new URL(smtp.url)
  expect(await save('ida@knots.test', '127.0.0.1', port)).toContain(
    'Most providers want an app password here, not your usual one.',
  )
  expect(await save('ida@gmail.com', '127.0.0.1', '1')).toContain(
    'usually smtp.gmail.com, 587 with STARTTLS or 465 with TLS.',
  )
  for (const bridgePort of [port, '1']) {
    expect(await save('ida@proton.me', '127.0.0.1', bridgePort)).toContain(
      'Proton Mail does not work without Proton Mail Bridge',
    )
  }
})

test('what the owner typed is shown again unchanged when it differs from the settings of her provider [OWN-150]', async () => {
  const { owner } = await openForm()
  for (const [host, port] of [
    ['smtp.knots.test', '465'],
    ['smtp.gmail.com', '2525'],
  ] as const) {
    const response = await owner.post(page, {
      intent: 'save-mailbox',
      ...{ user: 'ida@gmail.com', host, port },
      mailboxPassword: '',
      password: OWNER.password,
    })
    const form = pageOf(await response.text())
    expect(valueOf(form, server)).toBe(host)
    expect(valueOf(form, 'Port')).toBe(port)
  }
})
