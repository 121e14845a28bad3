// Which rows of the requirements no test names.

const id = /\b[A-Z]+(?:-[A-Z]+)*-\d{2,3}\b/g

/** The ids in the first column of the tables of docs/requirements.md, in their order. */
export function requirementsIn(markdown) {
  return [...markdown.matchAll(/^\| *([A-Z]+(?:-[A-Z]+)*-\d{2,3}) *\|/gm)].map((match) => match[1])
}

/** Each id written out in the text of a test; a range names its two ends only. */
export const namedIn = (text) => text.match(id) ?? []

/** Per area: all its rows and the missing ones. */
export function coverage(requirements, named) {
  const areas = new Map()
  for (const row of requirements) {
    const name = row.replace(/-\d+$/, '')
    const area = areas.get(name) ?? { rows: 0, missing: [] }
    area.rows += 1
    if (!named.has(row)) area.missing.push(row)
    areas.set(name, area)
  }
  return areas
}
