import { expect, test } from 'vitest'
import { hrefsIn, pageOf, readHead, within, wordsOf } from '#test/fixtures/html.ts'
import { openShopWithOwner, openTestShop } from '#test/fixtures/test-shop.ts'
import { readMessagingSettings, readSettings, saveSettings } from './settings.server.ts'
import { accents } from './accents.ts'
import { defaultMessagingSettings, parseSocialPage, socialHandle } from './shop-settings.ts'
import { defaultSettings as texts } from './setting-declarations.server.ts'

test('when the owner saves settings, the pages show them and the audit log records them [S-029]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()

  const saved = await owner.act('/manage/settings/', {
    ...texts,
    name: 'Rope & Joy',
    facebook: '@rope',
  })

  expect(saved.text).toContain('Settings saved')
  expect(wordsOf(await shop.visitor().page('/contact/'))).toMatch(/Rope & Joy.*@rope/)
  expect(shop.changedTopics).toContain('settings')
  expect(
    (await shop.db.selectFrom('audit').select(['act', 'actor', 'detail']).execute()).map((act) => ({
      ...act,
      detail: Object.keys(JSON.parse(act.detail).after),
    })),
  ).toEqual([{ act: 'change-settings', actor: 'owner', detail: ['name', 'facebook'] }])
})

test('if a setting in the database is damaged, its default is used and all pages still work [OWN-119]', async () => {
  const shop = await openTestShop()
  const words = {
    accent: 'neon',
    defaultTheme: 'blue',
    currencyCode: 'XYZ',
    currencyPosition: 'around',
    paperSize: 'A3',
  }
  const damaged = {
    ...words,
    timeZone: 'Mars/Base',
    sizeUnits: 'feet',
    facebook: 'no page',
    city: 7,
    terms: null,
    reminderMinutes: 'soon',
  }
  for (const [key, value] of [...Object.entries(damaged), ['name', undefined]] as const) {
    await shop.db
      .insertInto('settings')
      .values({ key, value: JSON.stringify(value) ?? '{"no', updatedAt: 1 })
      .execute()
  }
  expect(await readSettings(shop.db)).toEqual(texts)
  expect(await readMessagingSettings(shop.db)).toEqual(defaultMessagingSettings)
  const owner = await shop.owner()
  for (const path of ['/', '/gallery/', '/contact/', '/manage/', '/manage/settings/']) {
    expect((await owner.get(path)).status, path).toBe(200)
  }
})

test('the title of every public page contains the name of the shop [S-029]', async () => {
  const shop = await openTestShop()
  await saveSettings(shop.db, { name: 'Rope and Joy' }, shop.now())
  for (const path of [
    '/',
    '/gallery/',
    '/item/none',
    '/about/',
    '/contact/',
    '/testimonials/',
    '/login/',
    '/writetestimonials/none',
  ]) {
    expect(readHead(await shop.visitor().page(path)).title, path).toContain('Rope and Joy')
  }
})

test('if a setting is invalid, the other fields still contain the texts that the owner typed [S-029]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()

  const response = await owner.post('/manage/settings/', {
    ...texts,
    city: 'Knotville',
    facebook: 'javascript:alert(1)',
  })
  const page = pageOf(await response.text())

  expect(response.status).toBe(422)
  const error = { description: /^Please enter the Facebook page as @name/ }
  expect(page.getByRole('textbox', { name: 'Facebook page', ...error })).toBeTruthy()
  expect(page.getByLabelText('City').getAttribute('value')).toBe('Knotville')
  expect(await shop.db.selectFrom('settings').select('key').execute()).toEqual([])
})

test('the owner’s name in the settings must follow the same rules as a name on the account page [S-217, S-320]', async () => {
  const { shop, owner } = await openShopWithOwner()
  const answer = await owner.act('/manage/settings/', { ...texts, ownerName: 'I'.repeat(81) })
  expect(answer.status).toBe(422)
  expect(answer.text).toContain('under 80 characters')
  await owner.act('/manage/settings/', { ...texts, ownerName: ' Ida\u202e  Knot ' })
  expect((await readSettings(shop.db)).ownerName).toBe('Ida Knot')
})

test('on the settings page, only the first section and the sections with an error are open [OWN-120]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const openSections = (html: string) =>
    within(pageOf(html).getByRole('main'))
      .getAllByRole('group')
      .filter((section) => section.hasAttribute('open'))
      .map((section) => section.querySelector('h2')!.textContent)
  expect(openSections(await owner.page('/manage/settings/'))).toEqual(['The shop'])
  const refused = await owner.post('/manage/settings/', {
    ...texts,
    email: 'ida@',
    terms: '',
    currencySymbol: '<b>',
  })
  expect(openSections(await refused.text())).toEqual([
    'The shop',
    'Contact',
    'Texts',
    'Money and time',
  ])
})

test('if several settings are invalid, each invalid field has an error, and nothing is saved [OWN-20]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()

  const response = await owner.post('/manage/settings/', {
    ...texts,
    name: '',
    city: 'Knotville',
    email: 'ida@',
    instagram: 'a b',
  })
  const page = pageOf(await response.text())

  expect(response.status).toBe(422)
  for (const [name, description] of [
    ['Shop name', /^Please fill in the name/],
    ['Email', /^Please provide a valid Email/],
    ['Instagram page', /^Please enter the Instagram page/],
  ] as const) {
    expect(page.getByRole('textbox', { name, description })).toBeTruthy()
  }
  expect(page.getByText(/Please check 3 fields/)).toBeTruthy()
  expect(page.getByLabelText('City').getAttribute('value')).toBe('Knotville')
  expect(await shop.db.selectFrom('settings').select('key').execute()).toEqual([])
})

test('the footer links to the contact data and shows the delivery facts that the owner has filled in [OWN-136]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const footer = async () =>
    within(pageOf(await shop.visitor().page('/gallery/')).getByRole('contentinfo'))
  const linksOf = (part: Awaited<ReturnType<typeof footer>>) => hrefsIn(part).slice(0, -1)
  expect(linksOf(await footer())).toEqual(['/contact/'])

  await owner.act('/manage/settings/', {
    ...texts,
    email: 'mari@mail.test',
    phone: '+1 828 555-0142',
    facebook: '@marisol',
    instagram: '@marisol',
    shipsFrom: 'Asheville',
    returns: 'Returns within 14 days',
  })

  expect(linksOf(await footer())).toEqual([
    '/contact/',
    'mailto:mari@mail.test',
    'tel:+18285550142',
    'https://www.facebook.com/marisol',
    'https://www.instagram.com/marisol',
  ])
  expect((await footer()).getByText('Ships from Asheville · Returns within 14 days')).toBeTruthy()
})

test('the owner can edit the line in the footer, and the terms and hints on the Contact page [OWN-21, OWN-22]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const lines = {
    tagline: 'Tied in Ghent',
    terms: 'One.\r\nTwo.',
    mention: ' Your balcony\r\n\r\nYour cat ',
  }
  expect((await owner.act('/manage/settings/', { ...texts, ...lines })).text).toContain(
    'Settings saved',
  )

  const page = pageOf(await shop.visitor().page('/contact/'))

  const footer = within(page.getByRole('contentinfo'))
  expect(footer.getByText('Tied in Ghent')).toBeTruthy()
  const terms = footer.getByText('Terms and Conditions').closest('details')!
  expect(terms.querySelector('p')!.textContent).toBe('One.\nTwo.')
  const hints = within(page.getByRole('region', { name: 'Good to mention' }))
  expect(hints.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Your balcony',
    'Your cat',
  ])
  await owner.act('/manage/settings/', { ...texts, mention: '' })
  expect(await shop.visitor().page('/contact/')).not.toContain('Good to mention')
})

test('when the owner has chosen an accent color from the list, pages have this color in both themes [OWN-24]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const style = async () =>
    (await shop.visitor().page('/about/')).match(/<style>(.*?)<\/style>/)?.[1]
  expect(await style()).toBeUndefined()

  const refused = await owner.post('/manage/settings/', {
    ...texts,
    accent: 'red;}body{display:none',
  })
  expect(refused.status).toBe(422)
  const choice = pageOf(await refused.text()).getByRole('radiogroup', {
    name: 'Color of buttons and links',
    description: 'Please choose one of the list',
  })
  expect(choice).toBeTruthy()
  expect(await style()).toBeUndefined()

  await owner.act('/manage/settings/', { ...texts, accent: 'teal' })
  const { dark, light } = accents.teal
  expect(await style()).toContain(`data-theme=dark]{--accent:${dark.accent};`)
  expect(await style()).toContain(`data-theme=light]{--accent:${light.accent};`)
})

test('a new visitor sees the default theme that the owner has chosen, until the visitor chooses another theme [OWN-25]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const themeFor = async (cookie: string) => {
    const html = await (await shop.visitor().send('/about/', { headers: { cookie } })).text()
    return pageOf(html).getByRole('main').closest('html')!.dataset.theme
  }
  for (const defaultTheme of ['dark', 'light']) {
    await owner.act('/manage/settings/', { ...texts, defaultTheme })
    expect(await themeFor('')).toBe(defaultTheme)
    for (const theme of ['dark', 'light']) expect(await themeFor(`theme=${theme}`)).toBe(theme)
  }
  await owner.act('/manage/settings/', { ...texts, defaultTheme: 'light' })
  expect(await (await shop.visitor().get('/manifest.webmanifest')).json()).toMatchObject({
    theme_color: '#faf5ec',
  })
  expect((await owner.post('/manage/settings/', { ...texts, defaultTheme: 'pink' })).status).toBe(
    422,
  )
})

test('the default texts of a new shop contain no promise to customers [OWN-23]', async () => {
  const sentences = Object.values(texts).filter((text) => text.includes(' '))
  expect(sentences.length).toBeGreaterThan(4)
  expect(sentences.join(' ')).not.toMatch(/\d|return|refund|\bfree\b|guarantee|right|within/i)
})

test('the pages, the business card and the structured data of a new shop contain no placeholders [OWN-01]', async () => {
  const shop = await openTestShop()
  const visitor = shop.visitor()
  const pages = await Promise.all(
    ['/', '/about/', '/contact/', '/contact/?tab=phone', '/contact/card.vcf'].map((path) =>
      visitor.page(path),
    ),
  )
  const text = pages.join('\n')
  for (const placeholder of [
    'example.com',
    '555 ',
    '(555',
    'Your City',
    'knotsandlove',
    'tel:',
    'mailto:',
    'Owner',
  ]) {
    expect(text).not.toContain(placeholder)
  }
  expect(pages[4]).toMatch(/^FN:Knots & Love\r$/m)
  expect(pages[4]).not.toMatch(/^(TEL|EMAIL|ADR)/m)
})

test('the owner can clear every contact setting, but not the name of the shop [OWN-01]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const filled = {
    ...texts,
    city: 'Knotville',
    ownerName: 'Ida',
    email: 'ida@knots.test',
    phone: '+351 22 1234',
    facebook: '@ida',
    instagram: '@ida',
  }
  expect((await owner.act('/manage/settings/', filled)).text).toContain('Settings saved')
  expect((await owner.act('/manage/settings/', texts)).text).toContain('Settings saved')
  expect(await shop.visitor().page('/contact/')).not.toMatch(/Knotville|Ida|ida@|facebook\.com/)
  expect((await owner.post('/manage/settings/', { ...texts, name: ' ' })).status).toBe(422)
  expect((await owner.post('/manage/settings/', { ...texts, phone: 'abc' })).status).toBe(422)
})

test('the owner can type a social page as @name, as instagram.com/name or as a full URL [OWN-02]', () => {
  const page = 'https://www.instagram.com/knots.and.love'
  for (const typed of [
    '@knots.and.love',
    'knots.and.love',
    ' instagram.com/knots.and.love ',
    `${page}/?igsh=abc`,
    'http://m.instagram.com/knots.and.love',
  ]) {
    expect(parseSocialPage('instagram', typed)).toBe(page)
  }
  expect(parseSocialPage('facebook', 'https://www.facebook.com/profile.php?id=100&ref=x')).toBe(
    'https://www.facebook.com/profile.php?id=100',
  )
  expect(parseSocialPage('facebook', ' ')).toBe('')
  for (const typed of [
    'facebook.com',
    'https://facebook.com.evil.test/knots',
    'evilfacebook.com/knots',
    'javascript:alert(1)',
    'my page',
    '@',
    'facebook.com/100%macrame',
  ]) {
    expect(parseSocialPage('facebook', typed), typed).toBeNull()
  }
  expect(socialHandle(page)).toBe('@knots.and.love')
  expect(socialHandle('https://www.facebook.com/profile.php?id=100')).toBe('facebook.com')
})
