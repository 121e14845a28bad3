export default function Page() {
  return (
    <main className="page" id="main">
      <h1>Categories</h1>
    </main>
  )
}
