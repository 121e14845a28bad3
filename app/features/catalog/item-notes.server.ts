import { linesOf, type ShopSettings } from '#settings/shop-settings.ts'
import type { Item } from './catalog.ts'
import { itemPageTexts as texts } from './texts.ts'

/** `facts` are about delivery, and `imprint` is the contact data on the printed page. [OWN-94] */
export function itemNotes(settings: ShopSettings) {
  const { leadTime, shipsFrom, returns, name, city, address, email, phone } = settings
  const place = address === '' ? [city] : linesOf(address)
  return {
    facts: [leadTime, shipsFrom && texts.shipsFrom(shipsFrom), returns].filter(Boolean),
    imprint: [name, ...place, email, phone].filter(Boolean),
  }
}

const NUMBER = String.raw`\d+(?:[.,]\d+)?`
const CENTIMETERS = new RegExp(
  String.raw`(${NUMBER}(?:\s*(?:[x×*/–-]|to)\s*${NUMBER})*)\s*cm\b`,
  'gi',
)
const IN_INCHES = /\d\s*(?:in\b|inch|["″”])/i

const inches = (centimeters: string) =>
  String(Math.round((Number(centimeters.replace(',', '.')) / 2.54) * 10) / 10)

/**
 * Adds inches, as in '30 x 40 cm (11.8 x 15.7 in)', unless the text already has inches. [OWN-95]
 */
export const addInches = (text: string) =>
  IN_INCHES.test(text)
    ? text
    : text.replace(
        CENTIMETERS,
        (size, numbers: string) =>
          `${size} (${numbers.replace(new RegExp(NUMBER, 'g'), inches)} in)`,
      )

export const withInches = (item: Item, { sizeUnits }: Pick<ShopSettings, 'sizeUnits'>): Item =>
  sizeUnits === 'inches'
    ? { ...item, width: addInches(item.width), size: addInches(item.size) }
    : item
