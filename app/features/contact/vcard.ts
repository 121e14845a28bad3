/** The business card as a file that a telephone takes into its contacts (vCard 3.0, which all of them read). */
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'

const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n|\r/g, '\\n')

/** CONTACT-06, S-029. `url` is the shop's own address. */
export function vcardOf(shop: Pick<ShopSettings, 'name' | 'ownerName' | 'phone' | 'email' | 'city'>, url: string): string {
  const lines: [string, string][] = [
    ['VERSION', '3.0'],
    ['FN', escaped(`${shop.ownerName}, ${shop.name}`)],
    ['N', `;${escaped(shop.ownerName)};;;`],
    ['ORG', escaped(shop.name)],
    ['TEL;TYPE=WORK,VOICE', escaped(shop.phone)],
    ['EMAIL;TYPE=INTERNET,WORK', escaped(shop.email)],
    ['ADR;TYPE=WORK', `;;;${escaped(shop.city)};;;`],
    ['URL', escaped(url)],
  ]
  return ['BEGIN:VCARD', ...lines.map(([name, value]) => `${name}:${value}`), 'END:VCARD', ''].join('\r\n')
}
