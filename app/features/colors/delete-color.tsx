/** The question before a colour is deleted: where it is used, and what goes with it (COLOR-12, S-100). */
import type { ComponentProps } from 'react'
import Trash2 from 'lucide-react/icons/trash-2'
import { href, Link, type useFetcher } from 'react-router'
import { Ask } from '#app/ui/ask.tsx'
import { BackField } from '#app/ui/back-field.tsx'
import { colorName, type Color } from '#app/features/catalog/catalog.ts'
import { discountTag } from '#app/features/money/money.ts'
import type { ColorUses } from './color-fields.ts'
import css from './delete-color.module.css'

type Props = { color: Color; uses: ColorUses; Form: ReturnType<typeof useFetcher>['Form'] }

export function DeleteColor({ color, uses, Form }: Props) {
  const name = colorName(color)
  return (
    <Ask
      label={<Trash2 size={20} aria-hidden />}
      className="icon-button"
      ariaLabel={`Delete ${name}`}
      question={`Delete the color ${name}?`}
    >
      {(yesNo) => (
        <Form method="post">
          <BackField />
          <input type="hidden" name="intent" value="delete" />
          <input type="hidden" name="id" value={color.id} />
          <Uses uses={uses} />
          {color.discount && <p>{`It is marked ${discountTag(color.discount)}; that goes with it.`}</p>}
          {yesNo}
        </Form>
      )}
    </Ask>
  )
}

function Uses({ uses }: { uses: ColorUses }) {
  if (uses.count === 0) return <p>No piece uses it.</p>
  const more = uses.count - uses.first.length
  return (
    <>
      <p className={css.uses}>{`Used by ${uses.count === 1 ? '1 piece' : `${uses.count} pieces`}. Their pages will no longer show it:`}</p>
      <ul className={css.list}>
        {uses.first.map((use) => (
          <li key={use.id}>
            <PieceLink to={href('/manage/item/:itemid?', { itemid: use.id })}>{use.name}</PieceLink>
          </li>
        ))}
        {more > 0 && <li>{`and ${more} more`}</li>}
      </ul>
    </>
  )
}

const PieceLink = (props: ComponentProps<typeof Link>) => <Link className={css.link} {...props} />
