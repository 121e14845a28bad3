import { expect, test } from 'vitest'
import { openServedShop } from './open-served-shop.ts'

test('the built shop answers /health, keeps its data over SIGKILL, and stops on SIGTERM', async () => {
  const shop = await openServedShop()
  expect((await fetch(`${shop.url}/health`)).status).toBe(200)

  await shop.kill()
  await shop.start()

  expect((await fetch(`${shop.url}/`)).status).toBe(200)
  await shop.stop()
})
