import { data } from 'react-router'
import { cardView } from '#app/features/catalog/catalog.ts'
import { ItemNotFound, ItemPage, cutOfDescription } from '#app/features/catalog/item-page.tsx'
import { frameRatio, readShown } from '#app/features/catalog/shown-picture.ts'
import { findItemKept, listFavouriteItems, readMostOrdered } from '#app/features/catalog/catalog.server.ts'
import { readAsked } from '#app/features/orders/orders.server.ts'
import { shopContext, userContext } from '#app/platform/context.ts'
import { lazyComponent } from '#app/ui/lazy-component.tsx'
import type { Route } from './+types/item'

export const handle = { hasFooter: true }

// Below the pictures, and few visitors write: its code need not come first.
const OrderRequestBox = lazyComponent(async () => (await import('#app/features/orders/order-request-box.tsx')).OrderRequestBox)

/** Whoever has more favourites finds the others in the gallery. */
const MOST_IN_STRIP = 24

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  const { db } = shop
  const user = context.get(userContext)
  const item = await findItemKept(shop, params.itemid)
  if (!item) return data({ item: null }, { status: 404 })
  const [favourites, ordered, asked] = await Promise.all([
    user && listFavouriteItems(db, user.id),
    readMostOrdered(shop),
    user && readAsked(db, user.id, item.id),
  ])
  return {
    item,
    firstShown: readShown(item.pictures, new URL(request.url).searchParams),
    cut: cutOfDescription(item.description),
    ratio: frameRatio(item),
    favourites: favourites && {
      isOne: favourites.some(({ id }) => id === item.id),
      items: favourites.slice(0, MOST_IN_STRIP).map((item) => cardView(item)),
      count: favourites.length,
    },
    ...ordered,
    box: { itemId: item.id, viewer: user?.role ?? ('visitor' as const), userId: user?.id ?? null, asked: asked ?? ('new' as const) },
  }
}

export default function ItemRoute({ loaderData }: Route.ComponentProps) {
  return (
    <main className="page" id="main">
      {loaderData.item ? (
        <ItemPage {...loaderData} key={loaderData.item.id}>
          <OrderRequestBox {...loaderData.box} />
        </ItemPage>
      ) : (
        <ItemNotFound />
      )}
    </main>
  )
}
