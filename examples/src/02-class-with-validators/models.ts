import { IsEmail, Length, Max, Min } from 'class-validator'
import { Check, Column, KeyColumn, nullable, RowKey, Table, text, uint32 } from 'rowkey'

/** The checks of class-validator are a part of the model: no row gets into the store without them. */
@Table('accounts')
export class Account {
  declare [RowKey]?: 'email'
  @Check(IsEmail())
  @KeyColumn(1, text())
  email!: string

  @Check(Length(1, 40))
  @Column(text())
  name!: string

  @Check(Min(18), Max(150))
  @Column(nullable(uint32()))
  age!: number | null
}
