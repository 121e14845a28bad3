import { expect, test } from 'vitest'
import { wordsOf } from '#test/fixtures/html.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { defaultAboutTexts } from './owner-texts.ts'

const path = '/manage/about/'
const sent = { intent: 'save', ...defaultAboutTexts }

test('when the owner changes the title, text and description of a slide, visitors see the new texts [OWN-11]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  await shop.visitor().page('/about/')
  const changed = {
    ...sent,
    aboutIntro: 'Hello',
    slideTitle2: '<i>Mine</i>',
    slideText2: 'A text',
    slideAlt2: 'A window',
  }
  expect((await owner.act(path, changed)).status).toBe(200)
  const html = await shop.visitor().page('/about/')
  expect(html).toMatch(
    /Hello[\s\S]*id="slide-2"[\s\S]*aria-label="A window"[\s\S]*&lt;i&gt;Mine&lt;\/i&gt;[\s\S]*A text[\s\S]*id="slide-3"/,
  )
  expect(await owner.page(path)).toContain('value="A window"')
})

test('saving or previewing the About page shows an error next to each text that is empty or too long [OWN-15, OWN-16]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const wrong = { ...sent, slideTitle1: ' ', slideText5: 'x'.repeat(601), slideAlt3: '' }
  const refused = await owner.post(path, wrong)
  const html = await refused.text()
  expect(refused.status).toBe(422)
  expect(html).toContain('id="slideTitle1-error" role="alert">Please fill in this field')
  expect(html).toContain('id="slideText5-error" role="alert">Please write at most 600 characters')
  expect(html).toContain('id="slideAlt3-error"')
  const refusedPreview = await owner.post('/manage/about/preview', wrong)
  expect([refusedPreview.status, wordsOf(await refusedPreview.text())]).toEqual([
    422,
    expect.stringContaining('Slide 1: Title: Please fill in'),
  ])
  const preview = await owner.post('/manage/about/preview', {
    ...sent,
    slideTitle4: 'Only a preview',
  })
  expect(await preview.text()).toMatch(/Nothing has been saved[\s\S]*Only a preview/)
  expect(await shop.db.selectFrom('settings').select('key').execute()).toEqual([])
})
