-- A small world over tables: stats with modifiers in force, events with listeners before and after, damage to somebody.
local random = math.random
local units = {}
local before, after = {}, {}

local function unit(card, side)
  local u = { card = card, side = side, wounds = 0, scars = 0 }
  units[#units + 1] = u
  return u
end

-- Modifiers: who has them is looked at each time something is read.
local modifiers = {
  attacks = { function(u, n) return n + (u.card.fierce or 0) end },
  skill = {
    function(u, n)
      for _, other in ipairs(units) do
        if other.card.leader and other ~= u and other.side == u.side then n = n - 1 end
      end
      return n
    end,
  },
}

local function read(u, field)
  local n = u.card[field]
  for _, modify in ipairs(modifiers[field] or {}) do n = modify(u, n) end
  return n
end

local function emit(name, event, body)
  for _, rule in ipairs(before[name] or {}) do rule(event) end
  body(event)
  for _, rule in ipairs(after[name] or {}) do rule(event) end
end

before.deal = { function(e) e.amount = e.amount - (e.target.card.armour or 0) end }
after.deal = { function(e) if e.target.card.scarred then e.target.scars = e.target.scars + 1 end end }

local function deal(e)
  e.target.wounds = math.min(e.target.wounds + e.amount, e.target.card.health)
end

local function strike(e)
  for _ = 1, read(e.by, "attacks") do
    if random(6) >= read(e.by, "skill") then
      if random(6) < read(e.target, "defense") then
        emit("deal", { amount = read(e.by, "damage"), target = e.target }, deal)
      end
    end
  end
end

unit({ health = 12, attacks = 3, skill = 4, defense = 7, damage = 1, leader = true }, 1)
local veteran = unit({ health = 8, attacks = 3, skill = 4, defense = 7, damage = 3, fierce = 2 }, 1)
local ogre = unit({ health = 30, attacks = 1, skill = 4, defense = 5, damage = 1, armour = 1, scarred = true }, 2)

return function(times)
  local total = 0
  for _ = 1, times do
    ogre.wounds = 0
    emit("strike", { target = ogre, by = veteran }, strike)
    total = total + ogre.wounds
  end
  return total
end
