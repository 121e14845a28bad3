import { expect, test } from 'vitest'
import { addImage } from '#test/fixtures/catalog.ts'
import { applyTable, rowCounts, uploadTable } from '#test/fixtures/csv.ts'
import { openTableShop as open, type TableShop } from '#test/fixtures/prepared-shops.ts'
import { findNamedCategory } from './etsy.ts'

const newItems = ({ db }: TableShop) =>
  db
    .selectFrom('items')
    .selectAll()
    .where('id', 'not in', ['m', 's'])
    .orderBy('createdAt', 'desc')
    .orderBy('tieRank')
    .execute()

test('a CSV row without an id adds a listed item if the row has an unused picture, and otherwise a draft [OWN-58]', async () => {
  const shop = await open()
  await addImage(shop.db, 'free')
  const row = (name: string, image: string) =>
    `,${name},Bags,9,Bright.,${image.replaceAll(/\S+/g, '/pictures/items/$&.webp')}`
  const rows = [
    row('Star', ''),
    row('Comet', 'm-0'),
    row('Planet', 'free m-0'),
    row('Moonlet', 'free'),
  ]
  const { check, page } = await uploadTable(
    shop.owner,
    ['id,name,category,price,description,pictures', ...rows].join('\n'),
  )
  expect(rowCounts(page)).toEqual([0, 4, 0, 0])
  expect(page).toContain(
    'Row 2 Star New name Star category Bags price $9.00 description Bright. Becomes a draft: add its pictures, then publish it',
  )
  expect(page.match(/Planet New [^>]*?already used/)?.[0]).toContain(
    'Leaves out 1 of 2 pictures, because it is unknown or already used',
  )

  await applyTable(shop.owner, check)
  expect((await newItems(shop)).map(({ name, state }) => [name, state])).toEqual([
    ['Star', 'draft'],
    ['Comet', 'draft'],
    ['Planet', 'listed'],
    ['Moonlet', 'draft'],
  ])
  expect(await shop.visitor().page('/gallery/')).not.toMatch(/Star|Comet|Moonlet/)
})

test('an import can change a draft without pictures, but not a listed item without pictures [OWN-58, MERCH-27]', async () => {
  const shop = await open()
  await shop.db.deleteFrom('itemImages').execute()
  await shop.db.updateTable('items').set({ state: 'draft' }).where('id', '=', 'm').execute()
  const { page, address } = await uploadTable(shop.owner, 'id,price\nm,7\ns,7\n')
  expect(rowCounts(page)).toEqual([1, 0, 1, 0])
  expect(await shop.owner.page(`${address}&show=refused`)).toContain(
    'Please Add Atleast 1 Image for the Item',
  )
})

test('an import changes a draft without a price, but removes no price or description of an item that the owner has published after the preview [OWN-58, OWN-133, MERCH-22]', async () => {
  const shop = await open()
  await applyTable(
    shop.owner,
    (await uploadTable(shop.owner, 'id,name,category,description\n,Star,Bags,\n')).check,
  )
  const { id } = (await newItems(shop))[0]!
  const { check } = await uploadTable(
    shop.owner,
    `id,description,price\n${id},Bright.,\nm,Rounder.,7\n`,
  )
  await applyTable(shop.owner, check)
  expect(await newItems(shop)).toMatchObject([
    { state: 'draft', description: 'Bright.', priceCents: 0 },
  ])

  await shop.db.updateTable('items').set({ priceCents: 100 }).where('id', '=', id).execute()
  const again = await uploadTable(shop.owner, `id,price\n${id},0\nm,8\n`)
  await shop.db.updateTable('items').set({ state: 'listed' }).where('id', '=', id).execute()
  expect((await applyTable(shop.owner, again.check)).page).toContain(
    '1 item updated. 1 row left out',
  )
  expect(await newItems(shop)).toMatchObject([{ state: 'listed', priceCents: 100 }])
  const item = shop.db.updateTable('items').where('id', '=', id)
  await item.set({ state: 'draft' }).execute()
  const last = await uploadTable(shop.owner, `id,description\n${id},\n`)
  await item.set({ state: 'listed' }).execute()
  await applyTable(shop.owner, last.check)
  expect(await newItems(shop)).toMatchObject([{ state: 'listed', description: 'Bright.' }])
})

const ETSY =
  'TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,QUANTITY,TAGS,MATERIALS,IMAGE1,IMAGE2,VARIATION 1 TYPE,SKU'

test('an Etsy file adds each new listing as a draft in the category that the listing names [OWN-59]', async () => {
  const shop = await open()
  const { check, page } = await uploadTable(
    shop.owner,
    [
      ETSY,
      '"Mom&#39;s &quot;Sage&quot; Bag","Soft &amp; strong.\nTwo handles.",45.00,USD,3,"boho,net_bag","cotton_cord,wood",https://i.etsystatic.com/1.jpg,,,',
      'Feather,For the hall,12.50,EUR,1,"macrame_wall_hanging",,,,,SKU-1',
      'Mystery,Unknown,9,USD,0,,,,,,',
      'Mystery,Twice,9,USD,0,,,,,,',
      'Moon wall,Exists,9,USD,1,,,,,,',
      ',No title,9,USD,1,,,,,,',
      'Free,No price,,USD,1,,,,,,',
    ].join('\n'),
  )
  expect(rowCounts(page)).toEqual([0, 5, 2, 0])
  expect(page).toContain('Its pictures stay at Etsy: add them to the draft')
  expect(page).toContain('Its price is in EUR: please check it')
  expect(page).toMatch(/Mystery New .*name none of your categories, so it goes into “[^”]+”/)

  await applyTable(shop.owner, check)
  const [bag, feather, mystery, sameName, free] = await newItems(shop)
  expect(bag).toMatchObject({
    name: 'Mom\'s "Sage" Bag',
    categoryId: 'bags',
    priceCents: 4500,
    state: 'draft',
    description: 'Soft & strong.\nTwo handles.\n\nMaterials: cotton cord, wood',
  })
  expect(feather).toMatchObject({
    name: 'Feather',
    categoryId: 'walls',
    priceCents: 1250,
    state: 'draft',
  })
  expect(mystery).toMatchObject({ name: 'Mystery', description: 'Unknown', state: 'draft' })
  expect(sameName).toMatchObject({ name: 'Mystery', description: 'Twice', state: 'draft' })
  expect(free).toMatchObject({ name: 'Free', priceCents: 0, state: 'draft' })

  const again = await uploadTable(shop.owner, `${ETSY}\nFeather,For the hall,12.50,EUR,1,,,,,,`)
  expect(rowCounts(again.page)).toEqual([0, 0, 1, 0])
  const refused = await shop.owner.page(`${again.address}&show=refused`)
  expect(refused).toContain('There is already an item with this name')
})

test.each([
  ['German', 'TITEL,BESCHREIBUNG,PREIS,WÄHRUNGSCODE,MENGE,TAGS,MATERIALIEN,BILD1,BILD2,SKU'],
  ['French', 'TITRE,DESCRIPTION,PRIX,CURRENCY_CODE,QUANTITÉ,TAGS,MATÉRIAUX,IMAGE1,IMAGE2,SKU'],
  [
    'Italian',
    'TITOLO,DESCRIZIONE,PREZZO,CURRENCY_CODE,QUANTITÀ,TAG,MATERIALI,IMMAGINE1,IMMAGINE2,SKU',
  ],
  [
    'Spanish',
    'TÍTULO,DESCRIPCIÓN,PRECIO,CURRENCY_CODE,CANTIDAD,ETIQUETAS,MATERIALES,IMAGEN1,IMAGEN2,SKU',
  ],
  ['Dutch', 'TITEL,BESCHRIJVING,PRIJS,CURRENCY_CODE,AANTAL,LABELS,MATERIALEN,FOTO1,FOTO2,SKU'],
  ['Polish', 'TYTUŁ,OPIS,CENA,CURRENCY_CODE,ILOŚĆ,TAGI,MATERIAŁY,ZDJĘCIE1,ZDJĘCIE2,SKU'],
  [
    'Portuguese',
    'TÍTULO,DESCRIÇÃO,PREÇO,CURRENCY_CODE,QUANTIDADE,TAGS,MATERIAIS,IMAGEM1,IMAGEM2,SKU',
  ],
])('the CSV import understands the %s file of Etsy [OWN-59]', async (_, header) => {
  const shop = await open()
  const listing = 'Luna,In cotone,45.00,EUR,1,macrame,cotone,https://i.etsystatic.com/1.jpg,,M-1'
  const { check, page } = await uploadTable(shop.owner, `${header}\n${listing}`)
  expect(page).toContain('Its pictures stay at Etsy: add them to the draft')
  await applyTable(shop.owner, check)
  expect(await newItems(shop)).toMatchObject([
    {
      name: 'Luna',
      priceCents: 4500,
      description: 'In cotone\n\nMaterials: cotone',
      state: 'draft',
    },
  ])
})

test('the Etsy import finds the category with the longest title whose words are all in a text, in plural or singular [OWN-59]', () => {
  const categories = ['Bags', 'Wall Hangings', 'Hangings', 'Key Chains'].map((title) => ({
    id: title,
    title,
  }))
  expect(
    ['a small bag', 'boho wall hanging, moon', 'plant hanging', 'keychain', ''].map((text) =>
      findNamedCategory(text, categories),
    ),
  ).toEqual(['Bags', 'Wall Hangings', 'Hangings', null, null])
})
