import { href, Link } from 'react-router'
import type { Item } from '#app/features/catalog/catalog.ts'
import { notForSaleTexts as texts } from './not-for-sale-texts.ts'
import css from './order-request-form.module.css'

type Props = { item: Pick<Item, 'id' | 'state' | 'categoryId' | 'categoryTitle'>; viewer: 'visitor' | 'guest' | 'customer' | 'admin' }

/** Replaces the order request form on the page of a draft or retired item. [S-294] */
export function NotForSale({ item: { id, state, categoryId, categoryTitle }, viewer }: Props) {
  const isDraft = state === 'draft'
  return (
    <section className={`card stack ${css.box}`} id="order-request" aria-labelledby="not-for-sale">
      <h2 id="not-for-sale">{isDraft ? texts.draftTitle : texts.title}</h2>
      <p className="flush">{isDraft ? texts.draftHint : texts.hint}</p>
      <div className="cluster">
        {viewer === 'admin' ? (
          <Link className="button" to={href('/manage/item/:itemid?', { itemid: id })}>
            {texts.edit}
          </Link>
        ) : (
          <>
            {categoryTitle && (
              <Link className="button" to={href('/gallery/:categoryid?', { categoryid: categoryId })}>
                {texts.category(categoryTitle)}
              </Link>
            )}
            <Link className="button quiet" to="/contact/">
              {texts.contact}
            </Link>
          </>
        )}
      </div>
    </section>
  )
}
