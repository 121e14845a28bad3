import { data } from 'react-router'
import { ItemNotFound, ItemPage } from '#app/features/catalog/item-page.tsx'
import { findItem, listFavouriteItems, listMostOrdered, listSamples } from '#app/features/catalog/items.server.ts'
import { OrderRequestBox } from '#app/features/orders/order-request-box.tsx'
import { Footer } from '#app/features/settings/footer.tsx'
import { shopContext, userContext } from '#app/platform/context.ts'
import type { Route } from './+types/item'

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { db } = context.get(shopContext)
  const user = context.get(userContext)
  const item = await findItem(db, params.itemid)
  if (!item) return data({ item: null }, { status: 404 })
  const [favourites, ordered] = await Promise.all([user ? listFavouriteItems(db, user.id) : null, listMostOrdered(db)])
  const areSamples = ordered.length === 0
  const asked = Number(new URL(request.url).searchParams.get('picture') ?? 1) - 1
  return {
    item,
    firstPicture: item.pictures[asked] ? asked : 0,
    favourites,
    mostOrdered: areSamples ? await listSamples(db) : ordered,
    areSamples,
    viewer: user?.role ?? ('visitor' as const),
  }
}

export default function ItemRoute({ loaderData, matches }: Route.ComponentProps) {
  return (
    <>
      <main className="page" id="main">
        {loaderData.item ? (
          <ItemPage {...loaderData} key={loaderData.item.id}>
            <OrderRequestBox itemId={loaderData.item.id} viewer={loaderData.viewer} />
          </ItemPage>
        ) : (
          <ItemNotFound />
        )}
      </main>
      <Footer settings={matches[0].loaderData.settings} />
    </>
  )
}
