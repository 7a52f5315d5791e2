local random = math.random

return function(times, dice, hit, wound, save)
  local total = 0
  for _ = 1, times do
    for _ = 1, dice do
      if random(6) >= hit then
        if random(6) >= wound then
          if random(6) < save then total = total + 1 end
        end
      end
    end
  end
  return total
end
