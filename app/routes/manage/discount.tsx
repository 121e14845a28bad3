export default function Page() {
  return (
    <main className="page" id="main">
      <h1>Discounts</h1>
    </main>
  )
}
