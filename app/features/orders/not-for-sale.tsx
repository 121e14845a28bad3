import { href, Link } from 'react-router'
import type { Item } from '#app/features/catalog/catalog.ts'
import { notForSaleTexts as texts } from './not-for-sale-texts.ts'
import css from './order-request-form.module.css'

type Props = {
  item: Pick<Item, 'id' | 'state' | 'categoryId' | 'categoryTitle'>
  viewer: 'visitor' | 'guest' | 'customer' | 'admin'
}

/** Replaces the order request form on the page of a draft, retired or sold item. Customers get a link to their conversation. [S-294, AGREE-28] */
export function NotForSale({ item: { id, state, categoryId, categoryTitle }, viewer }: Props) {
  const shown = state === 'draft' ? texts.draft : state === 'sold' ? texts.sold : texts.retired
  return (
    <section
      className={`card stack ${css.box}`}
      id="order-request"
      aria-labelledby="not-for-sale"
    >
      <h2 id="not-for-sale">{shown.title}</h2>
      <p className="flush">{shown.hint}</p>
      <div className="cluster">
        {viewer === 'admin' ? (
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
