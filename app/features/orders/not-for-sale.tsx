import { href, Link } from 'react-router'
import type { Role } from '#services/context.ts'
import type { Item } from '#catalog/catalog.ts'
import { notForSaleTexts as texts } from './not-for-sale-texts.ts'
import css from './order-request-form.module.css'

type NotForSaleProps = {
  item: Pick<Item, 'id' | 'state' | 'categoryId' | 'categoryTitle'>
  viewer: 'visitor' | Role
}

export function NotForSale({
  item: { id, state, categoryId, categoryTitle },
  viewer,
}: NotForSaleProps) {
  const { title, hint } = texts[state === 'listed' ? 'retired' : state]
  return (
    <section
      className={`card grid gap-4 ${css.box}`}
      id="order-request"
      aria-labelledby="not-for-sale"
    >
      <h2 id="not-for-sale">{title}</h2>
      <p className="m-0">{hint}</p>
      <div className="row">
        {viewer === 'owner' ? (
          <Link
            className="button"
            to={href('/manage/item/:itemid?', { itemid: id })}
          >
            {texts.edit}
          </Link>
        ) : (
          <>
            {state === 'sold' && (
              <Link
                className="button"
                to={viewer === 'visitor' ? '/contact/' : '?messages='}
                preventScrollReset
              >
                {texts.askForSame}
              </Link>
            )}
            {categoryTitle && (
              <Link
                className={state === 'sold' ? 'button quiet' : 'button'}
                to={href('/gallery/:categoryid?', { categoryid: categoryId })}
              >
                {texts.category(categoryTitle)}
              </Link>
            )}
            {state !== 'sold' && (
              <Link
                className="button quiet"
                to="/contact/"
              >
                {texts.contact}
              </Link>
            )}
          </>
        )}
      </div>
    </section>
  )
}
