import { linesOf, type ShopSettings } from '#app/features/settings/shop-settings.ts'
import type { Item } from './catalog.ts'
import { itemPageTexts as texts } from './texts.ts'

/** Returns the delivery notes of item pages, and the shop's contact data for the printed page. Empty settings are left out. [OWN-94, OWN-98] */
export const itemNotes = ({
  leadTime,
  shipsFrom,
  returns,
  name,
  city,
  address,
  email,
  phone,
}: ShopSettings) => ({
  facts: [leadTime, shipsFrom && texts.shipsFrom(shipsFrom), returns].filter((fact) => fact !== ''),
  imprint: [name, ...(address === '' ? [city] : linesOf(address)), email, phone].filter(
    (line) => line !== '',
  ),
})

const NUMBER = String.raw`\d+(?:[.,]\d+)?`
const CENTIMETERS = new RegExp(
  String.raw`(${NUMBER}(?:\s*(?:[x×*/–-]|to)\s*${NUMBER})*)\s*cm\b`,
  'gi',
)
const IN_INCHES = /\d\s*(?:in\b|inch|["″”])/i

const inches = (centimeters: string): string =>
  String(Math.round((Number(centimeters.replace(',', '.')) / 2.54) * 10) / 10)

/** Converts '30 x 40 cm' to '30 x 40 cm (11.8 x 15.7 in)'. A text that contains inches does not change. [OWN-95] */
export const addInches = (text: string): string =>
  IN_INCHES.test(text)
    ? text
    : text.replace(
        CENTIMETERS,
        (found, numbers: string) =>
          `${found} (${numbers.replace(new RegExp(NUMBER, 'g'), inches)} in)`,
      )

export const withInches = (item: Item, { sizeUnits }: Pick<ShopSettings, 'sizeUnits'>): Item =>
  sizeUnits === 'inches'
    ? { ...item, width: addInches(item.width), size: addInches(item.size) }
    : item
